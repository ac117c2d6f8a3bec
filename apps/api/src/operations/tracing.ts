import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span } from '@opentelemetry/api';
import type { RequestHandler } from 'express';
import type { MongoClient } from 'mongodb';
import type { Logger } from 'pino';

export interface Tracing {
  /**
   * Creates a span for each request. If the request has a `traceparent` header, the span is a child of the caller's span.
   */
  middleware: RequestHandler;
  /** Exports the remaining spans and stops tracing. */
  shutdown(): Promise<void>;
}

/**
 * Starts OpenTelemetry tracing. Each request has a span, with a child span for each database command. The spans are
 * exported by OTLP over HTTP, which the standard OTEL_* environment variables configure. A span contains, for example,
 * the route pattern, or the database command and its collection, but no parameters and no content of the request. Only
 * this function loads the OpenTelemetry packages, so they use no memory if tracing is off.
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

  const logFailure = (message: string) => logger.warn({ err: new Error(message) }, 'traces could not be sent');
  api.diag.setLogger(
    { error: logFailure, warn: logFailure, info: () => {}, debug: () => {}, verbose: () => {} },
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
  const requestSpan = new AsyncLocalStorage<Span>();

  const commandSpans = new Map<number, Span>();
  const endCommandSpan = (requestId: number, hasFailed: boolean) => {
    const span = commandSpans.get(requestId);
    if (hasFailed) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
    commandSpans.delete(requestId);
  };
  client
    .on('commandStarted', ({ requestId, commandName, command }) => {
      const parent = requestSpan.getStore();
      // Commands of sweeps, and heartbeats of the MongoDB driver, have no span, because they belong to no request.
      if (!parent) return;
      const collection: unknown = command[commandName];
      const name = typeof collection === 'string' ? { 'db.collection.name': collection } : {};
      const attributes = { 'db.system.name': 'mongodb', 'db.operation.name': commandName, ...name };
      const options = { kind: SpanKind.CLIENT, attributes };
      commandSpans.set(requestId, tracer.startSpan(commandName, options, trace.setSpan(root, parent)));
    })
    .on('commandSucceeded', ({ requestId }) => endCommandSpan(requestId, false))
    .on('commandFailed', ({ requestId }) => endCommandSpan(requestId, true));

  return {
    middleware: (req, res, next) => {
      const callerContext = propagator.extract(root, req.headers, api.defaultTextMapGetter);
      const span = tracer.startSpan(req.method, { kind: SpanKind.SERVER }, callerContext);
      res.once('close', () => {
        const path: unknown = req.route?.path;
        if (typeof path === 'string') span.setAttribute('http.route', path).updateName(`${req.method} ${path}`);
        span.setAttributes({
          'http.request.method': req.method,
          'http.response.status_code': res.statusCode,
          'http.response.header.x-request-id': [String((req as { id?: string }).id)],
        });
        if (res.statusCode >= 500 || !res.writableFinished) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      });
      requestSpan.run(span, next);
    },

    shutdown: () => provider.shutdown(),
  };
}
