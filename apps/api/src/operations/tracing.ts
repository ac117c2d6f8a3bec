import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span } from '@opentelemetry/api';
import type { RequestHandler } from 'express';
import type { MongoClient } from 'mongodb';
import type { Logger } from 'pino';

export interface Tracing {
  /** Makes a span of each request, under the caller's when it sent a `traceparent`. */
  request: RequestHandler;
  /** Sends what is not sent yet. */
  end(): Promise<void>;
}

/**
 * OpenTelemetry traces: a span for each request and, below it, for each command to the database, sent by OTLP over HTTP
 * to where the standard OTEL_* variables say. A span names the route's pattern, the command and its collection: never
 * what was asked, or by whom. Nothing of OpenTelemetry is loaded before this is called.
 */
export async function startTracing(client: MongoClient, logger: Logger): Promise<Tracing> {
  const [api, core, { OTLPTraceExporter }, resources, sdk] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/core'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace-base'),
  ]);
  const { ROOT_CONTEXT: root, SpanKind, SpanStatusCode, trace } = api;

  const say = (message: string) => logger.warn({ err: new Error(message) }, 'traces could not be sent');
  api.diag.setLogger(
    { error: say, warn: say, info: () => {}, debug: () => {}, verbose: () => {} },
    { logLevel: api.DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const provider = new sdk.BasicTracerProvider({
    resource: resources
      .resourceFromAttributes({ 'service.name': 'rtr-cloud-kitchen-api' })
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    spanProcessors: [new sdk.BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const tracer = provider.getTracer('rtr-cloud-kitchen');
  const propagator = new core.W3CTraceContextPropagator();
  const current = new AsyncLocalStorage<Span>();

  const commands = new Map<number, Span>();
  const ended = (requestId: number, failed: boolean) => {
    const span = commands.get(requestId);
    if (failed) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
    commands.delete(requestId);
  };
  client
    .on('commandStarted', ({ requestId, commandName, command }) => {
      const parent = current.getStore();
      if (!parent) return; // a sweep's, or a probe of the driver
      const collection: unknown = command[commandName];
      const name = typeof collection === 'string' ? { 'db.collection.name': collection } : {};
      const attributes = { 'db.system.name': 'mongodb', 'db.operation.name': commandName, ...name };
      const options = { kind: SpanKind.CLIENT, attributes };
      commands.set(requestId, tracer.startSpan(commandName, options, trace.setSpan(root, parent)));
    })
    .on('commandSucceeded', ({ requestId }) => ended(requestId, false))
    .on('commandFailed', ({ requestId }) => ended(requestId, true));

  return {
    request: (req, res, next) => {
      const caller = propagator.extract(root, req.headers, api.defaultTextMapGetter);
      const span = tracer.startSpan(req.method, { kind: SpanKind.SERVER }, caller);
      res.once('close', () => {
        const path: unknown = req.route?.path;
        if (typeof path === 'string') span.setAttribute('http.route', path).updateName(`${req.method} ${path}`);
        span.setAttributes({
          'http.request.method': req.method,
          'http.response.status_code': res.statusCode,
          'http.response.header.x-request-id': [String(res.getHeader('X-Request-Id'))],
        });
        if (res.statusCode >= 500 || !res.writableFinished) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      });
      current.run(span, next);
    },

    end: () => provider.shutdown(),
  };
}
