"""A vLLM engine core that counts on from a prompt's last token: `engine.py HANDSHAKE INDEX`.

It serves one frontend until its standard input ends, then prints what it got and what it sent as JSON. It shares
nothing with src, neither code nor encoder nor ZeroMQ: an error that both of our sides make alike would go unseen
between them. Only the protocol's facts are common.
"""
import collections
import json
import sys
import time

import msgpack
import zmq

INDEX = int(sys.argv[2])
MAX_NUM_SEQS, BLOCK_SIZE, NUM_BLOCKS, STEP_MS = 4, 16, 1000, 1
START_UP_MS, LINGER_MS = 30_000, 4000
ADD, ABORT, UTILITY = b"\x00", b"\x01", b"\x03"
STOP, LENGTH, ABORTED, ERROR = range(4)
QUEUED, SCHEDULED = 1, 2
READY_RESPONSE = {
    "max_model_len": 1 << 20, "num_gpu_blocks": NUM_BLOCKS, "block_size": BLOCK_SIZE, "dp_stats_address": None,
    "dtype": "bfloat16", "vllm_version": "0.0.0", "world_size": 1, "data_parallel_size": 1,
    "tensor_parallel_size": 1, "pipeline_parallel_size": 1, "decode_context_parallel_size": 1,
    "data_parallel_rank": 0, "max_num_seqs": MAX_NUM_SEQS, "max_num_batched_tokens": 8192, "instance_id": "python",
}

live = {}  # waiting and running requests by id, in order of arrival
cached_prompts = set()
prefix_cache = collections.Counter()  # since the last stats
is_paused = False
report = {"requests": {}, "aborts": [], "stats": []}


def connect(kind, address):
    socket = zmq.Context.instance().socket(kind)
    socket.set_hwm(0)
    socket.setsockopt(zmq.IDENTITY, INDEX.to_bytes(2, "little"))
    socket.connect(address)
    return socket


def greeting(status):
    return msgpack.packb({"status": status, "local": False, "headless": True})


def scheduler_stats():
    running = [request for request in live.values() if request["scheduled"]]
    tokens = sum(len(request["prompt"]) + len(request["tokens"]) for request in running)
    lookups = {key: prefix_cache[key] for key in ("requests", "queries", "hits")}
    prefix_cache.clear()
    report["stats"].append({
        "num_running_reqs": len(running), "num_waiting_reqs": len(live) - len(running), "step_counter": 0,
        "current_wave": 0, "kv_cache_usage": tokens / (NUM_BLOCKS * BLOCK_SIZE),
        "prefix_cache_stats": {
            "reset": False, **lookups, "preempted_requests": 0, "preempted_queries": 0, "preempted_hits": 0},
        "kv_cache_eviction_events": [], "spec_decoding_stats": None, "kv_connector_stats": None,
    })
    return report["stats"][-1]


def send(core_outputs=(), finished=None, utility_output=None):
    stats = None if utility_output else scheduler_stats()
    message = [INDEX, core_outputs, stats, time.monotonic(), utility_output, finished, None, None]
    outputs.send(msgpack.packb(message))


def core_output(request, tokens, finish_reason=None, stop_reason=None, events=None, prefill_stats=None):
    request["tokens"] += tokens
    request["finish_reason"] = finish_reason
    if finish_reason is not None:
        del live[request["id"]]
    return [request["id"], tokens, None, None, None, finish_reason, stop_reason, events, None, None, None,
            prefill_stats, None, 0, None, None]


def schedule(request):
    """The events and prefill stats that go with a request's first token."""
    prompt = request["prompt"]
    # Whole blocks of a prompt that was here before; a prompt's last token is always computed.
    cached = (len(prompt) - 1) // BLOCK_SIZE * BLOCK_SIZE if tuple(prompt) in cached_prompts else 0
    cached_prompts.add(tuple(prompt))
    prefix_cache.update(requests=1, queries=len(prompt), hits=cached)
    request.update(scheduled=time.monotonic(), cached=cached)
    times = [(QUEUED, request["queued"]), (SCHEDULED, request["scheduled"])]
    return [{"type": kind, "timestamp": timestamp} for kind, timestamp in times], {
        "num_prompt_tokens": len(prompt), "num_computed_tokens": len(prompt) - cached, "num_cached_tokens": cached,
        "num_local_cached_tokens": cached, "num_external_cached_tokens": 0, "num_cache_creation_tokens": 0}


def advance(request):
    events, prefill_stats = (None, None) if request["scheduled"] else schedule(request)
    params, count = request["params"], len(request["tokens"]) + 1
    token, finish_reason, stop_reason = request["prompt"][-1] + count, None, None
    if token == params.get("_eos_token_id"):
        finish_reason = STOP
    elif token in params.get("stop_token_ids", []):
        finish_reason, stop_reason = STOP, token
    elif count == params.get("max_tokens", 16):
        finish_reason = LENGTH
    return core_output(request, [token], finish_reason, stop_reason, events, prefill_stats)


def add(message):
    request = {"id": message[0], "prompt": message[1], "params": message[3], "message": message, "tokens": [],
               "queued": time.monotonic(), "scheduled": None, "finish_reason": None}
    assert request["id"] not in report["requests"], "an engine must never see an id twice"
    report["requests"][request["id"]] = live[request["id"]] = request
    if request["params"] is None:
        send([core_output(request, [], ERROR)], finished=[request["id"]])


def abort(ids):
    report["aborts"] += ids
    if [live.pop(request_id) for request_id in ids if request_id in live]:
        send()  # Python's engines make no output of it


def pause(mode):
    global is_paused
    if mode == "abort":
        ids = list(live)
        send([core_output(live[request_id], [], ABORTED) for request_id in ids], finished=ids)
    is_paused = True


def resume():
    global is_paused
    is_paused = False


METHODS = {
    "pause_scheduler": lambda mode, clear_cache: pause(mode), "resume_scheduler": resume,
    "is_sleeping": lambda: is_paused, "echo": lambda *args: args}


def call(_, call_id, method, args):
    if method in METHODS:
        send(utility_output=[call_id, None, [None, METHODS[method](*args)]])
    else:
        send(utility_output=[call_id, f"no method {method}", None])


def serve():
    poller = zmq.Poller()
    poller.register(requests, zmq.POLLIN)
    poller.register(sys.stdin.fileno(), zmq.POLLIN)
    while sys.stdin.fileno() not in dict(poller.poll(STEP_MS if live and not is_paused else None)):
        while requests.poll(0):
            kind, payload = requests.recv_multipart()
            message = msgpack.unpackb(payload, strict_map_key=False)
            if kind == UTILITY:
                call(*message)
            else:
                {ADD: add, ABORT: abort}[kind](message)
        if live and not is_paused:
            send([advance(request) for request in list(live.values())[:MAX_NUM_SEQS]])


handshake = connect(zmq.DEALER, sys.argv[1])
handshake.setsockopt(zmq.RCVTIMEO, START_UP_MS)
handshake.send(greeting("HELLO"))
addresses = msgpack.unpackb(handshake.recv())["addresses"]
requests = connect(zmq.DEALER, addresses["inputs"][0])
requests.send(msgpack.packb(READY_RESPONSE))
outputs = connect(zmq.PUSH, addresses["outputs"][0])
handshake.send(greeting("READY"))
handshake.close(linger=LINGER_MS)
try:
    serve()
except Exception:
    outputs.send(b"ENGINE_CORE_DEAD")
    sys.stdin.read()  # upstream's process does not go at once either
    raise
finally:
    zmq.Context.instance().destroy(linger=LINGER_MS)
print(json.dumps(report))
