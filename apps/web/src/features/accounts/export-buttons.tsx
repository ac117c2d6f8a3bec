import { useFetcher } from 'react-router-dom';
import { useSingleFlight } from '../../lib/use-single-flight.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';

const text = {
  body: 'Download your reviews, your replies, the list of reviews that you marked as useful, your reports, and your requests, as JSON or CSV. In the CSV file, we add an apostrophe before text that looks like a formula, so that spreadsheets do not run it.',
  export: (format: string) => `Export as ${format}`,
};

/**
 * The buttons that export the customer's reviews, replies, votes, reports and requests. They submit to the current route with the
 * intent 'export'. The action of the route returns null, or an error text if the export failed.
 */
export function ExportButtons() {
  const fetcher = useFetcher<string | null>();
  const runningFormat = fetcher.formData?.get('format');
  const [send] = useSingleFlight((format: 'json' | 'csv') =>
    fetcher.submit({ intent: 'export', format }, { method: 'post' }),
  );
  return (
    <>
      <p className="text-muted">{text.body}</p>
      <div className="flex flex-wrap gap-4">
        <Button tone="quiet" pending={runningFormat === 'json'} onClick={() => void send('json')}>
          {text.export('JSON')}
        </Button>
        <Button tone="quiet" pending={runningFormat === 'csv'} onClick={() => void send('csv')}>
          {text.export('CSV')}
        </Button>
      </div>
      {fetcher.state === 'idle' && fetcher.data && <Alert>{fetcher.data}</Alert>}
    </>
  );
}
