import { limits } from '@rtr/shared';
import { type ReactNode, useCallback, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { useAccessTokens } from '../lib/access-token-context.ts';
import { NetworkError } from '../lib/api-error.ts';
import { canRetry, failureOf } from '../lib/failure.ts';
import { hasFocus, passFocusOn } from '../lib/focus.ts';
import { scalePicture } from '../lib/scale-picture.ts';
import { uploadFault, uploadPicture } from '../lib/upload-picture.ts';
import { Alert } from './alert.tsx';
import { Button } from './button.tsx';
import { failureText } from './failure-alert.tsx';
import { LiveRegion } from './live-region.tsx';
import { commonText } from './texts.ts';

const text = {
  hint: 'Choose a file or take a photo. You can also drop or paste a picture.',
  uploading: 'Uploading your picture…',
  progress: 'Upload progress',
  cancel: 'Cancel upload',
  cancelled: 'The upload is cancelled.',
  ignored: 'Wait until the upload has ended.',
  wait: 'Wait until the picture is uploaded, or cancel the upload.',
  failed: 'Your picture was not uploaded.',
  'not a picture': 'This file is not a JPEG, PNG, WebP, AVIF or GIF picture. Choose another file.',
  'too large': `This file has more than ${limits.pictureBytes / 1_000_000} MB. Choose a smaller picture.`,
};

type UploadState =
  | { step: 'ready'; message?: string }
  | { step: 'uploading'; preview: string; progress: number }
  | { step: 'done'; url: string }
  | { step: 'failed'; preview: string; message: string; detail?: string; retry?: File };

interface PictureUploadProps {
  label?: string;
  /** The message after an upload. */
  done?: string;
  hint?: string;
  onUploaded: (url: string) => void;
  /** Returns true if the form still contains the uploaded picture. Otherwise, the message `done` is hidden. */
  isUsed: (url: string) => boolean;
  /** The text field for the URL of the picture. A picture can also be dropped on it. */
  children?: ReactNode;
}

/**
 * A control that uploads a picture. It scales the picture down first, because photos from phones are larger than necessary.
 * The surrounding form cannot be sent during an upload.
 */
export function PictureUpload({
  label = 'Upload a picture',
  done = 'Your picture is uploaded. Its web address is in the field above.',
  hint = text.hint,
  onUploaded,
  isUsed,
  children,
}: PictureUploadProps) {
  const tokens = useAccessTokens();
  const [state, setState] = useState<UploadState>({ step: 'ready' });
  const [isIgnored, setIsIgnored] = useState(false);
  const [isDropTarget, setIsDropTarget] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const upload = useRef<AbortController>(null);
  const hintId = useId();

  useEffect(() => () => upload.current?.abort(), []);
  const isUploading = state.step === 'uploading';
  useEffect(() => input.current?.setCustomValidity(isUploading ? text.wait : ''), [isUploading]);
  // An effect event calls the latest `onUploaded`. The customer may type into the form during the upload, so an earlier
  // `onUploaded` could contain outdated values.
  const handleUploaded = useEffectEvent(onUploaded);
  const url = state.step === 'done' ? state.url : undefined;
  useEffect(() => {
    if (url) handleUploaded(url);
  }, [url]);
  const focusInputOnRemoval = useCallback(
    (part: Element | null) => () => {
      if (part && hasFocus(part)) passFocusOn(part, () => input.current);
    },
    [],
  );

  const start = async (file: File) => {
    setIsIgnored(false);
    const controller = new AbortController();
    upload.current = controller;
    const { signal } = controller;
    setState({ step: 'uploading', preview: '', progress: 0 });
    const scaled = await scalePicture(file);
    if (signal.aborted) return;
    const preview = scaled?.preview ?? '';
    const picture = scaled?.file ?? file;
    const fault = uploadFault(picture);
    if (fault) {
      setState({ step: 'failed', preview: '', message: text[fault] });
      return;
    }
    const onProgress = (progress: number) => {
      if (!signal.aborted) setState({ step: 'uploading', preview, progress });
    };
    onProgress(0);
    try {
      const url = await uploadPicture(picture, { tokens, signal, onProgress });
      setState({ step: 'done', url });
    } catch (error) {
      if (!signal.aborted) setState({ step: 'failed', preview, ...describe(error, file) });
    }
  };
  const cancel = () => {
    upload.current?.abort();
    setState({ step: 'ready', message: text.cancelled });
  };
  /** Uploads the first picture of `files`, unless an upload is running. Returns false if there are no files. */
  const startFirst = (files: FileList) => {
    const file = [...files].find(({ type }) => type.startsWith('image/')) ?? files[0];
    if (file && isUploading) setIsIgnored(true);
    else if (file) void start(file);
    return file !== undefined;
  };
  // Listens to the document, because some forms have no text field into which a picture can be pasted. Ignores a paste
  // into another form or dialog.
  const paste = useEffectEvent((event: ClipboardEvent) => {
    const { target, clipboardData } = event;
    const part = target instanceof Element ? target.closest('form, dialog') : null;
    const isElsewhere = part !== null && part !== input.current?.form;
    // Some programs copy a text together with a picture of the text. Then the picture is ignored, and the browser pastes the
    // text.
    if (isElsewhere || !clipboardData || clipboardData.getData('text/plain') !== '') return;
    if (startFirst(clipboardData.files)) event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: ClipboardEvent) => paste(event);
    document.addEventListener('paste', listener);
    return () => document.removeEventListener('paste', listener);
  }, []);

  return (
    <div
      className="grid gap-3"
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setIsDropTarget(true);
      }}
      onDragLeave={() => setIsDropTarget(false)}
      onDrop={(event) => {
        setIsDropTarget(false);
        if (startFirst(event.dataTransfer.files)) event.preventDefault();
      }}
    >
      {children}
      <div
        className={`grid gap-3 rounded-control border-2 border-dashed p-3 ${isDropTarget ? 'border-ink bg-sunken' : 'border-control'}`}
      >
        <div className="flex flex-wrap items-center gap-3">
          <label className="button button-quiet cursor-pointer has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus">
            <input
              ref={input}
              type="file"
              accept="image/*"
              aria-describedby={hintId}
              // Uses `aria-disabled` instead of `disabled`. A disabled input would lose the focus, and its validation error
              // would not prevent the form from being sent.
              aria-disabled={isUploading}
              onClick={(event) => {
                if (!isUploading) return;
                event.preventDefault();
                setIsIgnored(true);
              }}
              // An input event would make the form save its draft. The chosen file is not part of the draft, so the event
              // stops here.
              onInput={(event) => event.stopPropagation()}
              onChange={({ target }) => {
                if (target.files) startFirst(target.files);
                // Resets the input, so that the customer can choose the same file again.
                target.value = '';
              }}
              className="sr-only"
            />
            {label}
          </label>
          <p id={hintId} className="min-w-0 flex-1 basis-36 text-small text-muted">
            {hint}
          </p>
        </div>
        {'preview' in state && state.preview && (
          <img src={state.preview} alt="" className="max-h-30 max-w-40 rounded-drawn bg-sunken" />
        )}
        <LiveRegion variant="collapsible">
          {state.step === 'ready' && state.message && <p className="text-small">{state.message}</p>}
          {state.step === 'uploading' && <p className="text-small">{text.uploading}</p>}
          {state.step === 'uploading' && isIgnored && <p className="text-small">{text.ignored}</p>}
          {state.step === 'done' && isUsed(state.url) && <p className="text-small">{done}</p>}
        </LiveRegion>
        {state.step === 'uploading' && (
          <div className="flex flex-wrap items-center gap-3">
            <progress value={state.progress} aria-label={text.progress} className="min-w-0 flex-1 accent-primary" />
            <Button ref={focusInputOnRemoval} tone="quiet" onClick={cancel}>
              {text.cancel}
            </Button>
          </div>
        )}
        {state.step === 'failed' && (
          <Alert
            action={
              state.retry && (
                <Button
                  tone="quiet"
                  onClick={() => {
                    // Moves the focus, because the clicked button disappears.
                    input.current?.focus();
                    if (state.retry) void start(state.retry);
                  }}
                >
                  {commonText.tryAgain}
                </Button>
              )
            }
          >
            <p>{state.message}</p>
            {state.detail && <p className="text-small">{state.detail}</p>}
          </Alert>
        )}
      </div>
    </div>
  );
}

/**
 * Returns the texts for a failed upload, and the file if a retry may succeed. If the error is a bug, throws it again.
 */
function describe(error: unknown, file: File): { message: string; detail?: string; retry?: File } {
  const failure = failureOf(error);
  const message = failureText(failure, text.failed);
  const isOffline = error instanceof NetworkError && error.reason === 'unreachable';
  return {
    message,
    ...(message === text.failed && { detail: isOffline ? commonText.noConnection : failure.detail }),
    ...(canRetry(failure) && { retry: file }),
  };
}
