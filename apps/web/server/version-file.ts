import type { Plugin } from 'vite';

/**
 * Creates a Vite plugin that writes the names of the entry files to version.json. Each name contains a hash of the content.
 * An open page compares these names with its own names to detect a new deployment.
 */
export function versionFile(): Plugin {
  return {
    name: 'version-file',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const files = Object.values(bundle).flatMap((chunk) =>
        chunk.type === 'chunk' && chunk.isEntry ? [chunk.fileName, ...(chunk.viteMetadata?.importedCss ?? [])] : [],
      );
      this.emitFile({
        type: 'asset',
        fileName: 'version.json',
        source: JSON.stringify({ files: files.map((file) => `/${file}`) }),
      });
    },
  };
}
