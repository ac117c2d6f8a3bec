import type { Plugin } from 'vite';

/**
 * A Vite plugin that writes the names of the entry files to version.json. The names contain hashes of the files' content and
 * of the scripts that they load later. So an open page can detect a new deployment.
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
