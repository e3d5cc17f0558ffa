import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type Context,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
  ValueType,
} from '@opentelemetry/api'
import { millisToHrTime, parseTraceParent } from '@opentelemetry/core'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  MeterProvider,
  type MetricData,
  type MetricProducer,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client'
import type { Log } from './log.ts'
import { type RunningSpan, runningSpan } from './running-span.ts'

/**
 * OpenTelemetry: sends traces and metrics to a collector by OTLP over HTTP. This file alone imports its libraries, and
 * only app.ts imports this file, when a collector is configured.
 *
 * Attributes hold the declared path of a route, the text of a statement without its values, and the name of a job:
 * never an address that was called, a query parameter, a login or a payload.
 */

interface TelemetryInput {
  /** Address of the collector, such as http://localhost:4318. */
  endpoint: string
  /** Sent with each export, such as an authorisation. */
  headers: Record<string, string>
  serviceName: string
  /** Share of the requests that are traced, 0 to 1, unless the caller's own trace says otherwise. */
  sampledShare: number
  version: string
  environment: string
  registry: Registry
  log: Log
}

/** A job as the queue knows it. */
interface Job {
  name: string
  run(payload: unknown, stop: AbortSignal): Promise<void>
}

export interface Telemetry {
  /** Traces the calls of the API. Call it before routes are registered. */
  traceRequests(app: FastifyInstance): void
  /** Returns the job with its runs traced; each continues the trace that its payload carries. */
  traceJob(job: Job): Job
  /** Sends what is left and ends within two seconds, whether the collector answers or not. */
  stop(): Promise<void>
}

/** The routes that load balancers call every second. */
const PROBES = new Set(['/api/health', '/api/ready'])
const EXPORT_TIMEOUT_MS = 5000
const STOP_MS = 2000
/** A collector that is away is reported once in this time. */
const REPORT_MS = 60_000
/** A long list of filters makes a statement of 20,000 characters. */
const LONGEST_STATEMENT = 4000

/** Starts sending. What a collector misses while it is away is lost; requests are not affected. */
export function startTelemetry(input: TelemetryInput): Telemetry {
  const { endpoint, headers, sampledShare, version, registry, log } = input
  reportProblems(log)
  const resource = resourceOf(input)
  const exporting = (signal: string) => ({
    url: `${endpoint.replace(/\/+$/, '')}/v1/${signal}`,
    headers,
    timeoutMillis: EXPORT_TIMEOUT_MS,
  })
  const traces = new TracerProvider({
    resource,
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampledShare) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter(exporting('traces')) })],
  })
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(exporting('metrics')),
    metricProducers: [producerOf(registry, { resource, version })],
  })
  const metrics = new MeterProvider({ resource, readers: [reader] })
  const tracer = traces.getTracer('benchwatch', version)
  return {
    traceRequests: (app) => traceRequests(app, tracer),
    traceJob: (job) => traceJob(job, tracer),
    async stop() {
      const flushed = Promise.allSettled([traces.shutdown(), metrics.shutdown()])
      await Promise.race([flushed, pause(STOP_MS, undefined, { ref: false })])
      diag.disable()
    },
  }
}

function resourceOf({ serviceName, version, environment }: TelemetryInput): Resource {
  return resourceFromAttributes({
    'service.name': serviceName,
    'service.version': version,
    'service.instance.id': randomUUID(),
    'deployment.environment.name': environment,
  })
}

/** The libraries report failed exports here, every few seconds while the collector is away. */
function reportProblems(log: Log): void {
  let reportedAt = Number.NEGATIVE_INFINITY
  const report = (reason: string) => {
    if (performance.now() - reportedAt < REPORT_MS) return
    reportedAt = performance.now()
    log.warn({ reason: reason.slice(0, 500) }, 'OpenTelemetry could not export')
  }
  const ignore = () => undefined
  diag.setLogger(
    { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
}

/** Returns the context of a W3C traceparent header; the root if there is none or it is malformed. */
function contextOf(traceparent: unknown): Context {
  const parent = typeof traceparent === 'string' ? parseTraceParent(traceparent) : null
  return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT
}

function runningSpanOf(span: Span, tracer: Tracer): RunningSpan {
  const { traceId, spanId, traceFlags } = span.spanContext()
  const context = trace.setSpan(ROOT_CONTEXT, span)
  return {
    traceId,
    spanId,
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    addStatement({ sql, ms, hasFailed }) {
      if (!span.isRecording()) return
      const endTime = Date.now()
      const operation = /[a-z]+/i.exec(sql.replace(/\/\*.*?\*\//g, ''))?.[0].toUpperCase() ?? 'SQL'
      const statement = tracer.startSpan(
        operation,
        {
          kind: SpanKind.CLIENT,
          startTime: endTime - ms,
          attributes: {
            'db.system.name': 'postgresql',
            'db.operation.name': operation,
            'db.query.text': sql.slice(0, LONGEST_STATEMENT),
          },
        },
        context,
      )
      if (hasFailed) statement.setStatus({ code: SpanStatusCode.ERROR })
      statement.end(endTime)
    },
  }
}

function traceRequests(app: FastifyInstance, tracer: Tracer): void {
  const running = new WeakMap<FastifyRequest, { span: Span; current: RunningSpan }>()
  app.addHook('onRequest', (request, _reply, done) => {
    const { config, url } = request.routeOptions
    if (config.route === undefined || url === undefined || PROBES.has(url)) {
      done()
      return
    }
    const span = tracer.startSpan(
      `${request.method} ${url}`,
      { kind: SpanKind.SERVER, attributes: { 'http.request.method': request.method, 'http.route': url } },
      contextOf(request.headers['traceparent']),
    )
    const current = runningSpanOf(span, tracer)
    running.set(request, { span, current })
    runningSpan.run(current, done)
  })
  // A body arrives in the context of its connection, which has no span.
  app.addHook('preValidation', (request, _reply, done) => {
    const { current } = running.get(request) ?? {}
    if (current) runningSpan.run(current, done)
    else done()
  })
  app.addHook('onResponse', (request, { statusCode }, done) => {
    const { span } = running.get(request) ?? {}
    span?.setAttribute('http.response.status_code', statusCode)
    if (statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
    done()
  })
}

function traceJob({ name, run }: Job, tracer: Tracer): Job {
  return {
    name,
    async run(payload, stop) {
      const { traceparent } = payload as { traceparent?: unknown }
      const attributes = { 'benchwatch.job': name }
      const span = tracer.startSpan(`job ${name}`, { kind: SpanKind.CONSUMER, attributes }, contextOf(traceparent))
      try {
        await runningSpan.run(runningSpanOf(span, tracer), () => run(payload, stop))
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR })
        throw error
      } finally {
        span.end()
      }
    },
  }
}

/** Offers the metrics of the registry, so that a collector receives what Prometheus would scrape. */
function producerOf(
  registry: Registry,
  { resource, version }: { resource: Resource; version: string },
): MetricProducer {
  const startTime = millisToHrTime(performance.timeOrigin)
  return {
    async collect() {
      const found = await registry.getMetricsAsJSON()
      const times = { startTime, endTime: millisToHrTime(Date.now()) }
      const metrics = found.filter(({ values }) => values.length > 0).map((metric) => metricData(metric, times))
      return {
        resourceMetrics: { resource, scopeMetrics: [{ scope: { name: 'benchwatch', version }, metrics }] },
        errors: [],
      }
    },
  }
}

type Times = Pick<DataPoint<number>, 'startTime' | 'endTime'>
type Sample = MetricValue<string> & { metricName?: string }

/** The library declares `type` as a number, but returns a word. */
function metricData({ name, help, type, values }: MetricObjectWithValues<Sample>, times: Times): MetricData {
  const descriptor = { name, description: help, unit: '', valueType: ValueType.DOUBLE }
  const common = { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE }
  const kind = String(type)
  if (kind === 'histogram') {
    return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints: histogramsOf(values, times) }
  }
  const dataPoints = values.map(({ labels, value }) => ({ ...times, attributes: { ...labels }, value }))
  return kind === 'counter'
    ? { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...common, dataPointType: DataPointType.GAUGE, dataPoints }
}

/** Prometheus counts every observation up to a boundary, OpenTelemetry those between two boundaries. */
function histogramsOf(samples: readonly Sample[], times: Times): DataPoint<Histogram>[] {
  const byLabels = Map.groupBy(samples, ({ labels: { le: _boundary, ...labels } }) => JSON.stringify(labels))
  return [...byLabels].map(([labels, group]) => {
    const valueOf = (end: string) => group.find(({ metricName }) => metricName?.endsWith(end))?.value ?? 0
    const buckets = group.filter(({ metricName }) => metricName?.endsWith('_bucket'))
    return {
      ...times,
      attributes: JSON.parse(labels) as Record<string, string>,
      value: {
        buckets: {
          boundaries: buckets.slice(0, -1).map((bucket) => Number(bucket.labels['le'])),
          counts: buckets.map(({ value }, place) => value - (buckets[place - 1]?.value ?? 0)),
        },
        sum: valueOf('_sum'),
        count: valueOf('_count'),
      },
    }
  })
}
