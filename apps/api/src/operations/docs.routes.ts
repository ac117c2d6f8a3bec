import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Router } from 'express';
import { createOpenApiDocument } from './openapi.ts';

/** The Content-Security-Policy of the docs page. Swagger UI loads nothing from other origins, but sets inline styles. */
const docsPolicy =
  "default-src 'none';script-src 'self';style-src 'self' 'unsafe-inline';img-src 'self' data:;connect-src 'self';base-uri 'none';form-action 'none';frame-ancestors 'none'";

const docsPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>API of RTR Cloud Kitchen</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="docs"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;
const startScript = `SwaggerUIBundle({ url: 'openapi.json', dom_id: '#docs' });\n`;

/** Creates the routes GET /openapi.json and GET /docs. The page /docs displays the OpenAPI document. */
export function docsRoutes(): Router {
  const router = Router();
  const document = JSON.stringify(createOpenApiDocument());

  router.get('/openapi.json', (_req, res) => {
    res.type('json').send(document);
  });
  router.use('/docs', (_req, res, next) => {
    res.set('Content-Security-Policy', docsPolicy);
    next();
  });
  router.get('/docs', (req, res) => {
    // The page contains relative URLs, which are wrong if its own URL ends with a slash.
    if (req.path.endsWith('/')) res.redirect(301, '../docs');
    else res.type('html').send(docsPage);
  });
  router.get('/docs/start.js', (_req, res) => {
    res.type('js').send(startScript);
  });
  // Importing the package would load all of Swagger UI into this process. So its folder is found without an import.
  const require = createRequire(import.meta.url);
  const root = dirname(require.resolve('swagger-ui-dist/package.json'));
  for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js'])
    router.get(`/docs/${file}`, (_req, res) => res.sendFile(file, { root, cacheControl: false, acceptRanges: false }));
  return router;
}
