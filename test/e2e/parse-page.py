"""Reads a page with Prometheus's own Python client and prints its families and samples as JSON."""
import json
import sys

from prometheus_client.openmetrics.parser import text_string_to_metric_families as openmetrics
from prometheus_client.parser import text_string_to_metric_families as text

parse = openmetrics if sys.argv[1] == "openmetrics" else text
families = list(parse(sys.stdin.read()))
print(json.dumps({
    "families": [[family.name, family.type, family.documentation] for family in families],
    "samples": [
        [sample.name, sample.labels, sample.value] for family in families for sample in family.samples
    ],
}))
