import { useEffect } from 'react';

/** Titles the page '<name> RTR Cloud Kitchen'. */
export function usePageTitle(name: string): void {
  useEffect(() => {
    document.title = `${name} RTR Cloud Kitchen`;
  }, [name]);
}
