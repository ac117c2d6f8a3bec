import { useId, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button } from './button.tsx';

const text = { more: 'Show more', less: 'Show less', of: (name: string) => ` of ${name}` };

/** How many lines of a folded text are visible, as in the class `max-h-[12lh]`. A text with one more line is not folded. */
const foldedLines = 12;
/** A text with more characters than this has more lines at any width. */
const maxShortLength = 1200;
const isCertainlyLong = (content: string) =>
  content.length > maxShortLength || content.split('\n').length > foldedLines + 1;

interface FoldedTextProps {
  content: string;
  /** The name of the text in the accessible name of the button, such as 'your review of …'. */
  name: string;
}

/**
 * A text with its line breaks. If it is long, only its first lines are visible, and a button unfolds the rest. The page
 * always contains the complete text, so that it can be printed and found: if the search of the browser finds a word in the
 * hidden part, the text unfolds.
 */
export function FoldedText({ content, name }: FoldedTextProps) {
  const id = useId();
  const paragraph = useRef<HTMLParagraphElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  // The server cannot count lines, so it folds only texts that are too long at any width.
  const [isLong, setIsLong] = useState(() => isCertainlyLong(content));
  const [isOpen, setIsOpen] = useState(false);
  const isFolded = isLong && !isOpen;

  useLayoutEffect(() => {
    const element = paragraph.current;
    if (!element || isOpen || typeof ResizeObserver === 'undefined') return;
    if (element.scrollTop > 0) {
      setIsOpen(true); // the browser has scrolled it to a search result before hydration
      return;
    }
    const measure = () => setIsLong(linesOf(element) > foldedLines + 1);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another text has another height
  }, [isOpen, content]);

  const toggle = () => {
    flushSync(() => setIsOpen(!isOpen));
    if (isOpen) button.current?.scrollIntoView({ block: 'nearest' }); // the text above the button has become shorter
  };

  return (
    <div>
      <p
        ref={paragraph}
        id={id}
        // Unfolds the text when it is scrolled, which only the browser does: to a search result or to a selection.
        onScroll={() => setIsOpen(true)}
        className={`measure whitespace-pre-wrap wrap-anywhere ${isFolded ? 'max-h-[12lh] overflow-hidden noscript:max-h-none print:max-h-none' : ''}`}
      >
        {content}
      </p>
      {isLong && (
        <div className="pt-3 noscript:hidden">
          <Button ref={button} tone="quiet" aria-expanded={isOpen} aria-controls={id} onClick={toggle}>
            {isOpen ? text.less : text.more}
            <span className="sr-only">{text.of(name)}</span>
          </Button>
        </div>
      )}
    </div>
  );
}

function linesOf(element: HTMLElement): number {
  return element.scrollHeight / Number.parseFloat(getComputedStyle(element).lineHeight);
}
