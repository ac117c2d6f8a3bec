import { useId, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button } from './button.tsx';

const text = { more: 'Show more', less: 'Show less', of: (what: string) => ` of ${what}` };

/** Lines of a folded text: the `12lh` below says the same. A text with one line more is not worth a button. */
const foldedLines = 12;
/** So many characters fill more lines at any width. */
const surelyLong = 1200;

interface FoldedTextProps {
  words: string;
  /** Says what the words are, for those who hear the button by itself: 'your review of …'. */
  what: string;
}

/**
 * Text as it was typed. A long one shows its first lines, and a button that shows the rest. All of it stays in the page: it is
 * printed, and a browser's search that finds something in the hidden part opens it.
 */
export function FoldedText({ words, what }: FoldedTextProps) {
  const id = useId();
  const paragraph = useRef<HTMLParagraphElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  // What is known before the layout is: so that a long text that the server rendered is folded from the start.
  const [isLong, setIsLong] = useState(words.length > surelyLong);
  const [isOpen, setIsOpen] = useState(false);
  const isFolded = isLong && !isOpen;

  useLayoutEffect(() => {
    const element = paragraph.current;
    if (!element || isOpen || typeof ResizeObserver === 'undefined') return;
    const measure = () => setIsLong(linesOf(element) > foldedLines + 1);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- other words have another height
  }, [isOpen, words]);

  const toggle = () => {
    flushSync(() => setIsOpen(!isOpen));
    if (isOpen) button.current?.scrollIntoView({ block: 'nearest' }); // the text above it has become shorter
  };

  return (
    <div>
      <p
        ref={paragraph}
        id={id}
        // Only a browser scrolls it: to what its search has found, or to what is selected.
        onScroll={() => setIsOpen(true)}
        className={`measure whitespace-pre-wrap wrap-anywhere ${isFolded ? 'max-h-[12lh] overflow-hidden noscript:max-h-none print:max-h-none' : ''}`}
      >
        {words}
      </p>
      {isLong && (
        <div className="pt-3 noscript:hidden">
          <Button ref={button} tone="quiet" aria-expanded={isOpen} aria-controls={id} onClick={toggle}>
            {isOpen ? text.less : text.more}
            <span className="sr-only">{text.of(what)}</span>
          </Button>
        </div>
      )}
    </div>
  );
}

function linesOf(element: HTMLElement): number {
  return element.scrollHeight / Number.parseFloat(getComputedStyle(element).lineHeight);
}
