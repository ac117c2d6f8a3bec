import { productName } from '@rtr/shared';
import { useNewCount } from '../lib/new-count.ts';
import { usePageContext } from '../lib/page-context.ts';
import { scriptJson } from '../lib/script-json.ts';

interface ListedPage {
  description: string;
  /** The path of the canonical URL, which search engines use for this page. */
  path: string;
  /** The title in link previews. By default, the name of the page. */
  previewTitle?: string;
  /** The URL of the picture in link previews. By default, the preview picture of this site. */
  previewPicture?: string | undefined;
  /** A description of the page as schema.org data, for search engines. */
  structuredData?: ((origin: string) => object) | undefined;
}

interface PageHeadProps {
  /**
   * The name of the page. The document title is this name, followed by the name of the product. If something is new, the
   * title begins with its count.
   */
  name?: string | undefined;
  /** The metadata for search engines. Undefined if search engines must not list the page. */
  listed?: ListedPage | undefined;
}

/** The title and metadata of a page. React moves the tags into the head. */
export function PageHead({ name, listed }: PageHeadProps) {
  const newCount = useNewCount();
  const title = name ? `${name} ${productName}` : productName;
  return (
    <>
      <title>{newCount > 0 ? `(${newCount}) ${title}` : title}</title>
      {listed ? <Listed {...listed} previewTitle={listed.previewTitle ?? name ?? productName} /> : <NotListed />}
    </>
  );
}

const NotListed = () => <meta name="robots" content="noindex" />;

function Listed({
  description,
  path,
  previewTitle,
  previewPicture,
  structuredData,
}: ListedPage & { previewTitle: string }) {
  const { origin } = usePageContext();
  return (
    <>
      <meta name="description" content={description} />
      <link rel="canonical" href={origin + path} />
      <meta property="og:site_name" content={productName} />
      <meta property="og:type" content="website" />
      <meta property="og:title" content={previewTitle} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={origin + path} />
      {previewPicture ? (
        <meta property="og:image" content={previewPicture} />
      ) : (
        <>
          <meta property="og:image" content={`${origin}/pictures/preview.png`} />
          <meta property="og:image:width" content="1200" />
          <meta property="og:image:height" content="630" />
        </>
      )}
      <meta name="twitter:card" content="summary_large_image" />
      {structuredData && (
        <script
          type="application/ld+json"
          dangerouslySetInnerHTML={{
            __html: scriptJson({ '@context': 'https://schema.org', ...structuredData(origin) }),
          }}
        />
      )}
    </>
  );
}
