import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** An email as its recipient sees it. */
export interface ReceivedEmail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The decoded headers, by their lower-case names. */
  headers: Readonly<Record<string, string>>;
}

interface MailServerOptions {
  /** By default, a free port is chosen. */
  port?: number;
  /** Called with each email before the server accepts it. */
  onEmail: (email: ReceivedEmail) => void;
  /** Returns the code of the response with which the server rejects the recipient or the email, such as 550. */
  reject?: (step: 'recipient' | 'email', to: string) => number | undefined;
}

export interface MailServer {
  /** The environment variables with which the API sends emails to the server. */
  env: { SMTP_URL: string; MAIL_FROM: string };
  stop(): Promise<void>;
}

/** Starts an SMTP server on 127.0.0.1 that delivers nothing, but passes the emails to `onEmail`. */
export async function startMailServer({
  port = 0,
  onEmail,
  reject = () => undefined,
}: MailServerOptions): Promise<MailServer> {
  const rejection = (step: 'recipient' | 'email', to: string) => {
    const responseCode = reject(step, to);
    return responseCode === undefined ? undefined : Object.assign(new Error(`<${to}> rejected`), { responseCode });
  };
  const server = new SMTPServer({
    // The server has no certificate, and everyone may send.
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo({ address }, _session, respond) {
      respond(rejection('recipient', address));
    },
    onData(stream, { envelope }, respond) {
      const to = envelope.rcptTo.map(({ address }) => address).join(', ');
      void buffer(stream)
        .then(async (raw) => {
          const error = rejection('email', to);
          if (error) return error;
          const { subject = '', text = '', html = '', headers } = await PostalMime.parse(raw);
          onEmail({
            to,
            subject,
            text,
            html,
            headers: Object.fromEntries(headers.map(({ key, value }) => [key, value])),
          });
          return undefined;
        })
        .then(respond, respond);
    },
  });
  server.on('error', () => {
    // A client that disconnects early causes an error. The server continues with the other clients.
  });
  const listening = server.listen(port, '127.0.0.1');
  await once(listening, 'listening');
  return {
    env: {
      SMTP_URL: `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`,
      MAIL_FROM: 'news@kitchen.example',
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
