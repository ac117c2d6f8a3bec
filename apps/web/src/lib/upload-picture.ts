import { limits, parseJson } from '@rtr/shared';
import { NetworkError, UnexpectedResponse } from './api-error.ts';
import { type AccessTokenSource, errorIn, type ReadResponse, withAccessToken } from './http.ts';

const uploadTimeoutMs = 120_000;

/** The formats that the API accepts. */
const acceptedTypes = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif']);

/** Returns the reason why a file cannot be uploaded, or undefined if it can. */
export function uploadFault({ type, size }: Blob): 'not a picture' | 'too large' | undefined {
  if (!acceptedTypes.has(type)) return 'not a picture';
  return size > limits.pictureBytes ? 'too large' : undefined;
}

/** Where pictures are uploaded. Everyone can see a public picture, but only a few people can see a private one. */
export type PictureStore = 'public' | 'private';

const routes: Record<PictureStore, { path: string; result: 'url' | 'id' }> = {
  public: { path: '/api/pictures', result: 'url' },
  private: { path: '/api/pictures/p', result: 'id' },
};

interface UploadOptions {
  store: PictureStore;
  tokens: AccessTokenSource | null;
  signal: AbortSignal;
  /** Called with the fraction of the file that was sent, from 0 to 1. */
  onProgress: (share: number) => void;
}

/**
 * Uploads a picture and returns its URL, or its id if it is private. Throws an ApiError, a NetworkError or an
 * UnexpectedResponse, or the reason of `signal` if it is aborted.
 */
export async function uploadPicture(picture: Blob, options: UploadOptions): Promise<string> {
  const send = (bearer: string | null) => sendPicture(picture, bearer, options);
  const response = await (options.tokens ? withAccessToken(options.tokens.ownTokens(), send) : send(null));
  if (!response.ok) throw errorIn(response);
  const { result } = routes[options.store];
  const uploaded: unknown = (parseJson(response.text) as Record<string, unknown> | null | undefined)?.[result];
  if (typeof uploaded !== 'string') throw new UnexpectedResponse();
  return uploaded;
}

/** Sends a picture with XMLHttpRequest, because `fetch` does not report the progress of an upload. */
function sendPicture(
  picture: Blob,
  bearer: string | null,
  { store, signal, onProgress }: UploadOptions,
): Promise<ReadResponse> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const request = new XMLHttpRequest();
    request.open('POST', routes[store].path);
    request.timeout = uploadTimeoutMs;
    request.setRequestHeader('Content-Type', picture.type);
    if (bearer) request.setRequestHeader('Authorization', `Bearer ${bearer}`);
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0));
    request.addEventListener('load', () => {
      const { status, responseText: text } = request;
      const headers = new Headers();
      for (const name of ['Content-Type', 'Retry-After']) headers.set(name, request.getResponseHeader(name) ?? '');
      resolve({ ok: status >= 200 && status < 300, status, headers, text });
    });
    request.addEventListener('error', (event) => reject(new NetworkError('unreachable', event)));
    request.addEventListener('timeout', (event) => reject(new NetworkError('timeout', event)));
    request.addEventListener('abort', () => reject(signal.reason as Error));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(picture);
  });
}
