import { dialogOnDemand } from './dialog-on-demand.tsx';

/** The dialog with an enlarged picture. Its script loads when the dialog opens. */
export const LightboxOnDemand = dialogOnDemand(async () => (await import('./lightbox.tsx')).Lightbox);
