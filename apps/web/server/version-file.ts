import type { Plugin } from 'vite';

/**
 * Writes version.json: the files that every page starts from. Their names change with their content and with that of the
 * scripts they load later, so an open page learns from it whether another version is deployed.
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
