import type { ReactNode } from 'react';

export interface Post {
  slug: string;
  heading: string;
  /** The answer in two sentences. */
  lead: string;
  /** The whole answer. */
  body: ReactNode;
}

const list = 'measure grid list-disc gap-2 pl-6';
const code = 'whitespace-pre-wrap wrap-anywhere rounded-drawn border-2 border-line bg-sunken p-3 text-small';

export const posts: Post[] = [
  {
    slug: 'sql-vs-nosql',
    heading: 'SQL vs NoSQL',
    lead: 'A relational database takes facts apart and puts them together again for any question. A document database keeps together what is read together.',
    body: (
      <>
        <p>
          In a relational database each fact stands once, in a table of fixed columns. A service, its reviews and their
          authors are three tables, and a query joins them for whatever question comes up, even one nobody thought of
          when the tables were made. Constraints refuse what must not be, and a transaction changes several rows or
          none.
        </p>
        <p>
          NoSQL is four families that share only what they are not: documents (MongoDB), keys and values (Redis), wide
          columns (Cassandra) and graphs (Neo4j). A document database stores what a screen shows as one document: one
          read, no join. The price is that a fact kept in many documents must be changed in each of them.
        </p>
        <p>Three things are often said and rarely true:</p>
        <ul className={list}>
          <li>
            “NoSQL has no schema.” Something always expects a shape. The question is whether the database checks it.
          </li>
          <li>“SQL does not scale.” One well-kept PostgreSQL server carries more than most products ever ask of it.</li>
          <li>
            “NoSQL has no transactions.” MongoDB has had them across documents since 2018; good models seldom need them.
          </li>
        </ul>
        <p>
          Begin from the questions you will ask. Many kinds of questions about connected facts: relational. A few known
          reads, very often, spread over many machines: documents or keys. This kitchen keeps services and reviews as
          documents, because a service is read whole and a review belongs to one service.
        </p>
      </>
    ),
  },
  {
    slug: 'how-node-handles-concurrent-requests',
    heading: 'How Node handles concurrent requests',
    lead: 'One thread runs your JavaScript; the waiting is done elsewhere. It serves thousands at once as long as nobody holds the thread.',
    body: (
      <>
        <p>
          Think of one cook who never stands and watches a pot. An order comes in, the pot goes on the stove, and the
          cook turns to the next order. When the pot boils, it calls. Node works like that: your JavaScript runs on one
          thread, and whatever takes time is handed over.
        </p>
        <ul className={list}>
          <li>
            Sockets are watched by the operating system (epoll, kqueue, IOCP). Ten thousand open connections cost
            memory, not threads.
          </li>
          <li>
            Files, DNS look-ups by <code>dns.lookup</code>, compression and password hashing go to a pool of threads in
            libuv: four, unless <code>UV_THREADPOOL_SIZE</code> says otherwise.
          </li>
          <li>
            The event loop then runs callbacks in rounds: timers, finished input and output, <code>setImmediate</code>,
            closed handles. Between any two of them, <code>process.nextTick</code> and promises are emptied first.
          </li>
        </ul>
        <p>
          So two requests never run JavaScript at the same instant, and a variable cannot change between two lines. It
          can change across an <code>await</code>, and that is where Node’s race conditions live:
        </p>
        <pre className={code}>
          {`const stock = await read(id);      // both requests read 1
if (stock > 0) await write(id, stock - 1);  // both sell it`}
        </pre>
        <p>
          Let the database decide in one step instead (<code>update … where stock &gt; 0</code>). And never hold the
          thread: a slow regular expression or a loop over a million rows stops everyone. Move it to a worker thread, or
          run several processes behind a load balancer, which is also how Node uses more than one core.
        </p>
      </>
    ),
  },
  {
    slug: 'javascript-vs-node',
    heading: 'JavaScript vs Node',
    lead: 'JavaScript is the language. Node is one of the places where it runs, and what it may touch there is the difference.',
    body: (
      <>
        <p>
          JavaScript is defined by a standard, ECMAScript: values, functions, promises, modules, <code>Map</code> and{' '}
          <code>Array</code>. The standard knows no screen, no file and no network. Those come from the host that runs
          the language.
        </p>
        <ul className={list}>
          <li>
            A browser adds <code>document</code>, <code>window</code>, storage and the user’s clicks, inside a sandbox:
            a page cannot read your disk.
          </li>
          <li>
            Node adds files, sockets, processes and <code>Buffer</code>, with the rights of whoever started it. It has
            no <code>document</code>.
          </li>
          <li>
            Much is now the same on both sides: <code>fetch</code>, <code>URL</code>, streams, timers,{' '}
            <code>AbortController</code>, Web Crypto.
          </li>
        </ul>
        <p>
          Node is V8, the engine of Chrome, with libuv for input and output and a library around both. V8 compiles hot
          functions to machine code while they run; libuv asks the operating system to do the waiting. Deno and Bun are
          other hosts of the same language.
        </p>
        <p>
          One practical sign of the difference: a browser takes whatever version its user has, so code is built for the
          oldest you support. On a server you pick the version yourself. While it is being written, this app’s server
          runs its TypeScript as it stands, because Node can simply leave the types out.
        </p>
      </>
    ),
  },
  {
    slug: 'what-a-jwt-is',
    heading: 'What a JWT is',
    lead: 'A signed note that says who you are and until when. Anyone can read it; only the holder of the key can write one.',
    body: (
      <>
        <p>
          A JSON Web Token is three pieces of text with dots between them: a header, the claims, and a signature over
          both.
        </p>
        <pre className={code}>
          {`{"alg":"HS256","typ":"JWT"}
{"sub":"a7f2","iat":1767225600,"exp":1767229200}
HMAC-SHA256(key, header + "." + claims)`}
        </pre>
        <p>
          After logging in you send it with each request, as <code>Authorization: Bearer …</code>. The server computes
          the signature again, compares, and looks at the time: no session table has to be asked.
        </p>
        <ul className={list}>
          <li>It is signed, not encrypted. The claims are Base64url, which anyone reads: put no secrets in them.</li>
          <li>
            The server names the algorithm it accepts. A server that believed the header’s own <code>alg</code> took{' '}
            <code>none</code> for an answer.
          </li>
          <li>
            It checks <code>exp</code>, <code>iss</code> and <code>aud</code> too: a good signature on a note for
            somebody else’s door opens nothing.
          </li>
          <li>
            It cannot be called back before it ends. So it lasts minutes, not months, or each use also asks whether the
            account still stands.
          </li>
        </ul>
        <p>
          Here a token lasts one hour and is replaced without a word. Where it is kept matters as well: a script that
          gets into the page can read localStorage, so the page runs no script but its own and Google’s sign-in.
        </p>
      </>
    ),
  },
];
