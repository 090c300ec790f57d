"""A vLLM frontend, as strict as upstream's Rust client: `frontend.py HANDSHAKE INDEX...`.

It waits for these engines, sends them the requests that its standard input lists as JSON ({id, engine, prompt,
sampling_params, abort_after?}), and prints what came of them as JSON. It shares nothing with src, neither code nor
decoder nor ZeroMQ: an error that both of our sides make alike would go unseen between them. Only the protocol's facts
are common.
"""
import itertools
import json
import sys
import time

import msgpack
import zmq

IDENTITIES = {int(index): int(index).to_bytes(2, "little") for index in sys.argv[2:]}
ADD, ABORT, UTILITY = b"\x00", b"\x01", b"\x03"
PATIENCE_MS = 30_000
FINISH_REASONS = ["stop", "length", "abort", "error", "repetition"]
OUTPUTS_DEFAULTS = [0, [], None, 0, None, None, None, None]
OUTPUT_DEFAULTS = [None, None, None, None, None, None, None, None, None, None, None, None, None, 0, None, None]
STATS_KEYS = {
    "num_running_reqs", "num_waiting_reqs", "step_counter", "current_wave", "kv_cache_usage", "prefix_cache_stats",
    "kv_cache_eviction_events"}
PREFIX_CACHE_KEYS = {
    "reset", "requests", "queries", "hits", "preempted_requests", "preempted_queries", "preempted_hits"}

report = {"ready_responses": {}, "requests": {}, "stats": {index: [] for index in IDENTITIES}, "tasks": {}}
lengths = set()  # of all arrays that came
call_ids = itertools.count((1 << 64) - 1000)  # as Python's, beyond what a double holds
calls = {}  # what to do with an answer, by call id


def bind(kind, address):
    socket = zmq.Context.instance().socket(kind)
    socket.set_hwm(0)
    socket.setsockopt(zmq.RCVTIMEO, PATIENCE_MS)
    socket.bind(address)
    return socket


def start_up():
    addresses = {
        "inputs": [requests.getsockopt_string(zmq.LAST_ENDPOINT)],
        "outputs": [outputs.getsockopt_string(zmq.LAST_ENDPOINT)],
        "coordinator_input": None, "coordinator_output": None, "frontend_stats_publish_address": None}
    init = msgpack.packb({"addresses": addresses, "parallel_config": {}})
    expected = {identity: "HELLO" for identity in IDENTITIES.values()}
    for _ in range(2 * len(IDENTITIES)):
        identity, payload = handshake.recv_multipart()
        status = msgpack.unpackb(payload)["status"]
        assert status == expected[identity], f"{identity}: {status}"
        expected[identity] = "READY" if status == "HELLO" else None
        if status == "HELLO":
            handshake.send_multipart([identity, init])
    for _ in IDENTITIES:
        identity, payload = requests.recv_multipart()
        report["ready_responses"][int.from_bytes(identity, "little")] = msgpack.unpackb(payload)
    assert set(report["ready_responses"]) == set(IDENTITIES)


def add(request):
    message = [request["id"], request["prompt"], None, request["sampling_params"], None, time.time(), None, None, None,
               None, None, 0, 0, 0, None, False, None, None, None, False, None]
    requests.send_multipart([IDENTITIES[request["engine"]], ADD, msgpack.packb(message)])
    report["requests"][request["id"]] = {
        **request, "tokens": [], "finish_reason": None, "is_over": False, "late": 0, "events": [], "prefill_stats": []}


def call(engine, method, on_result):
    call_id = next(call_ids)
    calls[call_id] = on_result
    requests.send_multipart([IDENTITIES[engine], UTILITY, msgpack.packb([0, call_id, method, []])])


def abort(request):
    """Then asks something: the answer comes after everything that the engine has for the request."""
    def end(is_sleeping):
        assert is_sleeping is False
        request["is_over"] = True
    requests.send_multipart([IDENTITIES[request["engine"]], ABORT, msgpack.packb([request["id"]])])
    call(request["engine"], "is_sleeping", end)


def take(engine, output):
    lengths.add(len(output))
    assert len(output) <= len(OUTPUT_DEFAULTS)
    request_id, tokens, _, _, _, finish_reason, _, events, _, _, _, prefill_stats, *_ = (
        output + OUTPUT_DEFAULTS[len(output):])
    request = report["requests"][request_id]
    assert request["engine"] == engine
    if request["is_over"]:
        request["late"] += 1
    request["tokens"] += tokens
    request["events"] += events or []
    request["prefill_stats"] += [prefill_stats] if prefill_stats else []
    if finish_reason is not None:
        request["finish_reason"], request["is_over"] = FINISH_REASONS[finish_reason], True
    elif len(request["tokens"]) == request.get("abort_after"):
        abort(request)


def receive():
    message = msgpack.unpackb(outputs.recv())
    lengths.add(len(message))
    engine, core_outputs, stats, _, utility_output, finished, wave_complete, start_wave = (
        message + OUTPUTS_DEFAULTS[len(message):])
    is_batch = bool(core_outputs or stats or finished)
    kinds = [is_batch, utility_output is not None, wave_complete is not None, start_wave is not None]
    assert kinds.count(True) == 1, f"a mix of kinds, or nothing: {message}"
    if stats:
        assert STATS_KEYS <= set(stats) and PREFIX_CACHE_KEYS <= set(stats["prefix_cache_stats"]), stats
        report["stats"][engine].append(stats)
    for output in core_outputs:
        take(engine, output)
    if utility_output:
        call_id, failure, result = utility_output
        assert failure is None, utility_output
        calls.pop(call_id)(result[1])


requests, outputs = (bind(kind, "tcp://127.0.0.1:*") for kind in (zmq.ROUTER, zmq.PULL))
handshake = bind(zmq.ROUTER, sys.argv[1])
start_up()
for request in json.load(sys.stdin):
    add(request)
while calls or not all(request["is_over"] for request in report["requests"].values()):
    receive()
for index in IDENTITIES:  # what an engine still sends comes before its answer
    call(index, "get_supported_tasks", lambda tasks, index=index: report["tasks"].update({index: tasks}))
while calls:
    receive()
print(json.dumps({**report, "lengths": sorted(lengths)}))
