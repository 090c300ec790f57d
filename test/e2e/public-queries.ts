// biome-ignore-all lint/suspicious/noTemplateCurlyInString: some of the variables are spelled so
/**
 * Queries of public dashboards, alerts, autoscalers and routers for vLLM, as published, their variables left in.
 * Those without an answer from vLLM must have none from us either.
 */
export interface PublicQuery {
  readonly repo: string;
  readonly expr: string;
}

// biome-ignore format: a table
const ANSWERED: readonly (readonly [repo: string, expr: string])[] = [
  ['vllm-project/vllm', 'histogram_quantile(\n  0.99,\n  sum by (le, model_name) (\n    rate(vllm:time_to_first_token_seconds_bucket{model_name=~"$Deployment_id"}[$__interval])\n  )\n)'],
  ['vllm-project/vllm', 'sum by (le) (rate(vllm:e2e_request_latency_seconds_bucket{job=~"$job", model_name=~"$model_name", instance=~"$instance"}[$__rate_interval]))'],
  ['vllm-project/vllm', 'sum(rate(vllm:time_to_first_token_seconds_bucket{job=~"$job", model_name=~"$model_name", instance=~"$instance", le="$ttft_slo"}[$__rate_interval])) / (sum(rate(vllm:time_to_first_token_seconds_count{job=~"$job", model_name=~"$model_name", instance=~"$instance"}[$__rate_interval])) > 0)'],
  ['vllm-project/vllm', 'sum(rate(vllm:request_time_per_output_token_seconds_bucket{job=~"$job", model_name=~"$model_name", instance=~"$instance", le="$tpot_slo"}[$__rate_interval])) / (sum(rate(vllm:request_time_per_output_token_seconds_count{job=~"$job", model_name=~"$model_name", instance=~"$instance"}[$__rate_interval])) > 0)'],
  ['vllm-project/vllm', 'topk by (job, instance) (1, vllm:lora_requests_info{job=~"$job", instance=~"$instance"})'],
  ['vllm-project/vllm', 'sum by(le) (increase(vllm:request_prompt_tokens_bucket{model_name="$model_name"}[$__rate_interval]))'],
  ['opea-project/GenAIInfra', 'min(rate(vllm:e2e_request_latency_seconds_sum{namespace="$namespace",model_name="$model_name"}[$__rate_interval]) / rate(vllm:e2e_request_latency_seconds_count{namespace="$namespace",model_name="$model_name"}[$__rate_interval]))'],
  ['kubernetes-sigs/gateway-api-inference-extension', 'histogram_quantile(0.5, sum by(le) (rate(vllm:inter_token_latency_seconds_bucket[$__rate_interval])))'],
  ['unattributed', '1 - ( sum(rate(vllm:time_to_first_token_seconds_bucket{le="0.5"}[5m])) / sum(rate(vllm:time_to_first_token_seconds_count[5m])) )'],
  ['unattributed', 'sum(vllm:num_requests_running{namespace="llm-serving"}) + sum(vllm:num_requests_waiting{namespace="llm-serving"})'],
  ['kubernetes-sigs/inference-perf', "sum(increase({__name__=~\"vllm:prefix_cache_queries(_total)?\",model_name='meta-llama/Llama-3.1-8B-Instruct'}[60s]))"],
  ['kubernetes-sigs/inference-perf', "histogram_quantile(0.9, sum(rate(vllm:request_params_max_tokens_bucket{model_name='meta-llama/Llama-3.1-8B-Instruct'}[60s])) by (le))"],
  ['vllm-project/production-stack', '{__name__=~"^vllm:num_requests_waiting$"}'],
  ['llm-d/llm-d-autoscaling', 'max by (instance, pod, llm_d_ai_variant, num_gpu_blocks, block_size) (vllm:cache_config_info{namespace="{{.namespace}}"})'],
  ['vllm-project/aibrix', 'increase(vllm:request_generation_tokens_sum{instance="${instance}", model_name="${model_name}", job="pods"}[1d]) / increase(vllm:request_generation_tokens_count{instance="${instance}", model_name="${model_name}", job="pods"}[1d])'],
  ['unattributed', 'rate(vllm:num_preemptions_total[5m]) > 0.5'],
  ['opendatahub-io/odh-dashboard', '(sum(increase(kserve_vllm:e2e_request_latency_seconds_bucket{namespace=~"$namespace", model_name=~"$model_name", le="+Inf"}[$__range]))) - (sum(increase(kserve_vllm:e2e_request_latency_seconds_bucket{namespace=~"$namespace", model_name=~"$model_name", le="30.0"}[$__range])))'],
  ['opendatahub-io/odh-dashboard', '(sum(increase(kserve_vllm:e2e_request_latency_seconds_bucket{model_name=~"$model_name", le="1.0"}[$__range])))'],
  ['unattributed', 'kserve_vllm:request_success_total'],
];

// biome-ignore format: a table
const EMPTY: readonly (readonly [repo: string, expr: string])[] = [
  // A bound that the family does not have, and one spelled as an integer.
  ['unattributed', 'sum(rate(vllm:time_to_first_token_seconds_bucket{le="2.0"}[5m])) / sum(rate(vllm:time_to_first_token_seconds_count[5m]))'],
  ['vllm-project/vllm', 'increase(vllm:e2e_request_latency_seconds_bucket{le="120"}[5m]) < increase(vllm:e2e_request_latency_seconds_count[5m])'],
  // Counters without their suffix.
  ['vllm-project/vllm', 'rate(vllm:num_preemptions[5m]) > 1'],
  ['kubernetes-sigs/inference-perf', "sum(rate(vllm:prompt_tokens{model_name='meta-llama/Llama-3.1-8B-Instruct'}[60s]))"],
  // Names of former versions.
  ['GoogleCloudPlatform/monitoring-dashboard-samples', 'avg by (pod,model_name)(avg_over_time(vllm:gpu_cache_usage_perc[${__interval}]))'],
  ['substratusai/kubeai', 'histogram_quantile(0.5, sum by(le) (rate(vllm:time_per_output_token_seconds_bucket{model_name="$model_name"}[$__rate_interval])))'],
  // A label that the family does not have.
  ['llm-d/llm-d-workload-variant-autoscaler', 'max by (pod, num_gpu_blocks, block_size) (vllm:cache_config_info{namespace="{{.namespace}}",model_name="{{.modelID}}"})'],
  ['unattributed', 'absent(vllm:num_requests_running)'],
];

/** The variables' values here, and windows of the few seconds there are. */
function filledIn(expr: string, modelName: string, instance: string): string {
  return expr
    .replaceAll(/\[(?:\$\{?__(?:rate_interval|interval|range)\}?|5m)\]/g, '[6s]')
    .replaceAll(/\$\{?(?:model_name|Deployment_id)\}?|\{\{\.modelID\}\}|meta-llama\/[\w.-]+/g, modelName)
    .replaceAll(/\$\{?namespace\}?|\{\{\.namespace\}\}/g, 'llm-serving')
    .replaceAll(/\$\{?instance\}?/g, instance)
    .replaceAll('$job', 'pods')
    .replaceAll('$ttft_slo', '0.25')
    .replaceAll('$tpot_slo', '0.05');
}

function fill(rows: typeof ANSWERED, modelName: string, instance: string): readonly PublicQuery[] {
  return rows.map(([repo, expr]) => ({ repo, expr: filledIn(expr, modelName, instance) }));
}

export interface PublicQueries {
  readonly answered: readonly PublicQuery[];
  readonly empty: readonly PublicQuery[];
}

export function publicQueries(modelName: string, instance: string): PublicQueries {
  return { answered: fill(ANSWERED, modelName, instance), empty: fill(EMPTY, modelName, instance) };
}
