import { type ReactNode, useRef, useState } from 'react';
import { type ReactZoomPanPinchRef, TransformComponent, TransformWrapper } from 'react-zoom-pan-pinch';
import { IconButton } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Icon } from './icon.tsx';
import { LiveRegion } from './live-region.tsx';

const text = {
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  rotate: 'Rotate',
  reset: 'Reset',
  hint: 'Zoom with the mouse wheel, a pinch, or the + and − keys. Move with the arrow keys. Press R to rotate.',
  rotated: (degrees: number) => `Rotated by ${degrees} degrees`,
  zoomed: (percent: number) => `Zoomed to ${percent} percent`,
  whole: 'Zoom and rotation reset',
};

const arrowStepPx = 80;

const tool = 'border-2 border-control hover:border-ink';

interface LightboxProps {
  /** The picture, with the size 'whole'. */
  picture: ReactNode;
  title: string;
  onClose: () => void;
}

/**
 * A dialog with a picture. The customer can zoom, move and rotate the picture with buttons, keys, the mouse wheel or a
 * pinch.
 */
export function Lightbox({ picture, title, onClose }: LightboxProps) {
  const view = useRef<ReactZoomPanPinchRef>(null);
  const [turns, setTurns] = useState(0);
  const [announcement, setAnnouncement] = useState('');

  const zoomIn = () => void view.current?.zoomIn(0.5, 160);
  const zoomOut = () => void view.current?.zoomOut(0.5, 160);
  const move = (right: number, down: number) => {
    if (!view.current) return;
    const { state, instance, setTransform } = view.current;
    const { scale, positionX, positionY } = state;
    const { wrapperComponent: frame, contentComponent: content } = instance;
    // Limits the position of the picture. A picture that is larger than the frame always covers the frame. A smaller picture
    // stays in the centre.
    const clamp = (position: number, room: number) => (room > 0 ? room / 2 : Math.min(0, Math.max(room, position)));
    const x = clamp(positionX - right, (frame?.offsetWidth ?? 0) - (content?.offsetWidth ?? 0) * scale);
    const y = clamp(positionY - down, (frame?.offsetHeight ?? 0) - (content?.offsetHeight ?? 0) * scale);
    void setTransform(x, y, scale, 0);
  };
  const rotate = () => {
    setTurns(turns + 1);
    setAnnouncement(text.rotated(((turns + 1) % 4) * 90));
  };
  const reset = () => {
    setTurns(0);
    void view.current?.resetTransform(0);
    setAnnouncement(text.whole);
  };
  const keys: Record<string, () => void> = {
    '+': zoomIn,
    '=': zoomIn,
    '-': zoomOut,
    r: rotate,
    R: rotate,
    '0': reset,
    ArrowLeft: () => move(-arrowStepPx, 0),
    ArrowRight: () => move(arrowStepPx, 0),
    ArrowUp: () => move(0, -arrowStepPx),
    ArrowDown: () => move(0, arrowStepPx),
  };

  return (
    <Dialog
      title={title}
      onClose={onClose}
      fullWindow
      onKeyDown={({ key, ctrlKey, metaKey, altKey }) => {
        if (!ctrlKey && !metaKey && !altKey) keys[key]?.();
      }}
    >
      <div className="overflow-hidden bg-sunken [container-type:size] short:col-start-1 short:row-span-2 short:row-start-1">
        <TransformWrapper
          ref={view}
          minScale={1}
          maxScale={8}
          centerOnInit
          centerZoomedOut
          onZoomStop={({ state }) => setAnnouncement(text.zoomed(Math.round(state.scale * 100)))}
        >
          <TransformComponent wrapperClass="cursor-grab" wrapperStyle={{ width: '100%', height: '100%' }}>
            {/* The picture is as large as the frame allows, also after the customer has rotated it. */}
            <div
              className={`relative ${turns % 2 ? 'aspect-3/4 w-[min(100cqw,100cqh*3/4)]' : 'aspect-4/3 w-[min(100cqw,100cqh*4/3)]'}`}
            >
              <div
                className={`absolute top-1/2 left-1/2 -translate-1/2 transition-[rotate] ${turns % 2 ? 'w-[calc(100%*4/3)]' : 'w-full'}`}
                style={{ rotate: `${turns * 90}deg` }}
              >
                {picture}
              </div>
            </div>
          </TransformComponent>
        </TransformWrapper>
      </div>
      <div className="flex flex-wrap items-center gap-2 p-2 short:grid short:grid-cols-2 short:content-start">
        <IconButton label={text.zoomIn} onClick={zoomIn} className={tool}>
          <Icon name="plus" />
        </IconButton>
        <IconButton label={text.zoomOut} onClick={zoomOut} className={tool}>
          <Icon name="minus" />
        </IconButton>
        <IconButton label={text.rotate} onClick={rotate} className={tool}>
          <Icon name="rotate" />
        </IconButton>
        <IconButton label={text.reset} onClick={reset} className={tool}>
          <Icon name="reset" />
        </IconButton>
        <p className="px-2 text-small text-muted max-sm:hidden sm:ml-auto short:hidden">{text.hint}</p>
        <LiveRegion variant="hidden">{announcement}</LiveRegion>
      </div>
    </Dialog>
  );
}
