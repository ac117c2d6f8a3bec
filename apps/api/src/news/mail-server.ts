import { productName } from '@rtr/shared';
import { createTransport } from 'nodemailer';
import { UnavailableError } from '../errors.ts';

export interface MailServerSettings {
  /** The URL of the mail server: smtp:// or smtps://, with a user and a password if the server needs them. */
  smtpUrl: string;
  /** The address of the sender. */
  from: string;
}

export interface Email {
  to: string;
  /** An id that is the same for each attempt to send the email. Without the angle brackets. */
  messageId: string;
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
}

/**
 * The outcome of an attempt to send an email. `failed`: the mail server cannot be used, or rejects the address or the email for
 * now. `refused`: it rejects them permanently, for example because the mailbox does not exist.
 */
export type MailOutcome = 'sent' | 'failed' | 'refused';

export interface MailServer {
  /** Throws an UnavailableError if the server cannot be used at all, for example because it cannot be reached. */
  send(email: Email): Promise<MailOutcome>;
}

/** One email needs about ten responses. All timeouts together are shorter than the lease of emails.store.ts. */
const responseTimeoutMs = 20_000;
const connectionTimeoutMs = 10_000;
const retryAfterSeconds = 60;

export function createMailServer({ smtpUrl, from }: MailServerSettings): MailServer {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl);
  const secure = protocol === 'smtps:';
  const transport = createTransport({
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    ...(port !== '' && { port: Number(port) }),
    secure,
    // Never sends the password over a connection without TLS.
    ...(username !== '' && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
      requireTLS: true,
    }),
    connectionTimeout: connectionTimeoutMs,
    greetingTimeout: connectionTimeoutMs,
    socketTimeout: responseTimeoutMs,
  });

  return {
    async send({ to, messageId, headers, ...contents }) {
      try {
        await transport.sendMail({
          ...contents,
          from: { name: productName, address: from },
          to: { name: '', address: to },
          messageId: `<${messageId}>`,
          // Tells mail servers to send no automatic reply, such as an absence message.
          headers: { ...headers, 'Auto-Submitted': 'auto-generated' },
        });
        return 'sent';
      } catch (error) {
        return outcomeOf(error as MailError);
      }
    },
  };
}

interface MailError {
  code?: string;
  /** The command that failed. It is API if nodemailer itself rejects the address. */
  command?: string;
  responseCode?: number;
}

/**
 * Returns the outcome for a rejected address or email, and throws an UnavailableError for every other error. The UnavailableError
 * does not contain the response of the server, because the response may contain the address.
 */
function outcomeOf({ code = 'unknown error', command = '', responseCode = 0 }: MailError): MailOutcome {
  const isAboutEmail = ['RCPT TO', 'DATA', 'API'].includes(command) && ['EENVELOPE', 'EMESSAGE'].includes(code);
  if (isAboutEmail) return responseCode >= 400 && responseCode < 500 ? 'failed' : 'refused';
  const details = [code, command, responseCode || ''].filter(Boolean).join(', ');
  throw new UnavailableError(`The mail server cannot be used (${details}).`, retryAfterSeconds);
}
