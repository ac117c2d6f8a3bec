import { id, type ServiceDetails, type WebPath, webPages } from '@rtr/shared';
import { type Router as ExpressRouter, type Request, type Response, Router } from 'express';
import * as z from 'zod/mini';
import { HttpError, notAllowed, sendProblem } from '../http/problem.ts';
import type { ServiceStore } from '../services/services.store.ts';
import { type Head, headHtml, homeHead, pageHead, serviceHead, servicesHead } from './head.ts';
import type { Shell } from './shell.ts';

interface Parts {
  services: ServiceStore;
  shell: Shell;
  /** Of the web app, as the public knows it. */
  origin: string;
}

const listed = 20;
/** Longer than any healthy read, in milliseconds. The app itself waits longer, and says that it does. */
const patience = 800;

/**
 * The web app's pages, each with its own head, for the web server to pass on under its own security headers: those of
 * the API, which let nothing run, are right for whoever asks here directly.
 */
export function pageRoutes({ services, shell, origin }: Parts): ExpressRouter {
  const router = Router();

  const show = async (res: Response, head: Head) => {
    if (head.path === undefined) res.set('X-Robots-Tag', 'noindex');
    res.type('html').send(await shell.withHead(headHtml(head, origin)));
  };

  router.use('/pages', async (req, _res, next) => {
    if (!(await isOfBuild(req, shell)))
      throw new HttpError(412, 'The pages here are of another build than your files.');
    next();
  });

  router.get('/pages/', (_req, res) => show(res, homeHead(origin)));

  router.get('/pages/services', async (req, res) => {
    const rows = 'q' in req.query ? [] : await soon(services.newest(listed));
    await show(res, servicesHead(origin, rows));
  });

  router.get('/pages/services/:id', async (req, res) => {
    const { success, data } = z.safeParse(id, req.params.id);
    const service: ServiceDetails | undefined = success ? await soon(services.find(data)) : undefined;
    await (service ? show(res, serviceHead(origin, service)) : show(res.status(404), { name: 'Not Found' }));
  });

  // All others: those above have answered.
  for (const path of Object.keys(webPages) as WebPath[])
    router.get(`/pages${path}`, (_req, res) => show(res, pageHead(path)));

  router.get('/pages/*path', (_req, res) => show(res.status(404), { name: 'Not Found' }));
  router.all('/pages{/*path}', notAllowed('GET, HEAD'));
  return router;
}

/** A failure, too, comes with the app in it, which says what happened and goes on. */
export function failedPage(shell: Shell) {
  return async (failure: HttpError, res: Response) => {
    if (await isOfBuild(res.req, shell)) res.type('html').send(await shell.plain());
    else sendProblem(failure, res);
  };
}

/** While a new version is rolled out, a page may name scripts that this web server lacks: its own plain page is better. */
async function isOfBuild(req: Request, shell: Shell): Promise<boolean> {
  const build = req.get('X-Web-Build');
  return build === undefined || build === (await shell.build());
}

async function soon<T>(reading: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new HttpError(503, 'The database takes long to answer.', { headers: { 'Retry-After': '2' } }));
  }, patience);
  try {
    return await Promise.race([reading, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
