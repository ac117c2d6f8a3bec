import { limits } from '@rtr/shared';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useAccessTokens } from '../lib/access-token-context.ts';
import { NetworkError } from '../lib/api-error.ts';
import { canRetry, failureOf } from '../lib/failure.ts';
import { scalePicture } from '../lib/scale-picture.ts';
import { type PictureStore, uploadFault, uploadPicture } from '../lib/upload-picture.ts';
import { failureText } from './failure-alert.tsx';
import { commonText } from './texts.ts';

const text = {
  cancelled: 'The upload is cancelled.',
  failed: 'Your picture was not uploaded.',
  'not a picture': 'This file is not a JPEG, PNG, WebP, AVIF or GIF picture. Choose another file.',
  'too large': `This file has more than ${limits.pictureBytes / 1_000_000} MB. Choose a smaller picture.`,
};

type UploadState =
  | { step: 'ready'; message?: string }
  | { step: 'uploading'; preview: string; progress: number; rest: File[] }
  /** `rest` are the files to upload next. */
  | { step: 'done'; url: string; rest: File[] };

interface FailedUpload {
  file: File;
  message: string;
  detail?: string;
  canRetry: boolean;
}

interface PictureUploadsOptions {
  store: PictureStore;
  /** The number of pictures that can be added. */
  room: number;
  /** Called with the URL of each uploaded picture, or with its id if it is private. */
  onUploaded: (url: string) => void;
  /** Called with the chosen files for which there is no room. */
  onLeftOut?: ((files: File[]) => void) | undefined;
}

/**
 * Uploads pictures, one after the other. Scales each picture down first, because photos from phones are larger than
 * necessary.
 */
export function usePictureUploads({ store, room, onUploaded, onLeftOut }: PictureUploadsOptions) {
  const tokens = useAccessTokens();
  const [state, setState] = useState<UploadState>({ step: 'ready' });
  const [failures, setFailures] = useState<FailedUpload[]>([]);
  /** True if files were chosen during an upload. They are ignored. */
  const [isIgnored, setIsIgnored] = useState(false);
  const upload = useRef<AbortController>(null);

  useEffect(() => () => upload.current?.abort(), []);

  const start = async ([file, ...rest]: File[]) => {
    if (!file) return;
    setIsIgnored(false);
    const controller = new AbortController();
    upload.current = controller;
    const { signal } = controller;
    const fail = (failure: Omit<FailedUpload, 'file'>) => {
      setFailures((before) => [...before, { file, ...failure }]);
      if (rest.length > 0) void start(rest);
      else setState({ step: 'ready' });
    };
    setState({ step: 'uploading', preview: '', progress: 0, rest });
    const scaled = await scalePicture(file);
    if (signal.aborted) return;
    const preview = scaled?.preview ?? '';
    const picture = scaled?.file ?? file;
    const fault = uploadFault(picture);
    if (fault) {
      fail({ message: text[fault], canRetry: false });
      return;
    }
    const onProgress = (progress: number) => {
      if (!signal.aborted) setState({ step: 'uploading', preview, progress, rest });
    };
    onProgress(0);
    try {
      const url = await uploadPicture(picture, { store, tokens, signal, onProgress });
      setState({ step: 'done', url, rest });
    } catch (error) {
      if (!signal.aborted) fail(describe(error));
    }
  };
  // An effect event calls the latest `onUploaded`. The customer may type into the form during the upload, so an earlier
  // `onUploaded` could contain outdated values.
  const handleUploaded = useEffectEvent((url: string, rest: File[]) => {
    onUploaded(url);
    void start(rest);
  });
  useEffect(() => {
    if (state.step === 'done') handleUploaded(state.url, state.rest);
  }, [state]);
  const cancel = () => {
    upload.current?.abort();
    setState({ step: 'ready', message: text.cancelled });
  };
  /** Uploads as many of the files as there is room for. Returns false if there are no files. */
  const startAll = (list: FileList) => {
    const files = [...list];
    if (files.length > 0 && state.step === 'uploading') setIsIgnored(true);
    else if (files.length > 0) {
      const pictures = files.filter(({ type }) => type.startsWith('image/'));
      const chosen = (pictures.length > 0 ? pictures : files).slice(0, room);
      onLeftOut?.(files.filter((file) => !chosen.includes(file)));
      setFailures([]);
      void start(chosen);
    }
    return files.length > 0;
  };
  const retry = () => {
    setFailures(failures.filter(({ canRetry }) => !canRetry));
    void start(failures.filter(({ canRetry }) => canRetry).map(({ file }) => file));
  };
  return { state, failures, isIgnored, setIsIgnored, cancel, startAll, retry };
}

/** Returns the texts for a failed upload, and whether a retry may succeed. If the error is a bug, throws it again. */
function describe(error: unknown): Omit<FailedUpload, 'file'> {
  const failure = failureOf(error);
  const message = failureText(failure, text.failed);
  const isOffline = error instanceof NetworkError && error.reason === 'unreachable';
  return {
    message,
    ...(message === text.failed && { detail: isOffline ? commonText.noConnection : failure.detail }),
    canRetry: canRetry(failure),
  };
}
