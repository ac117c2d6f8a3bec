import type { ReactNode } from 'react';

export interface Post {
  slug: string;
  heading: string;
  /** A summary of the post in two sentences. */
  lead: string;
  body: ReactNode;
}

const list = 'measure grid list-disc gap-2 pl-6';
const code = 'whitespace-pre-wrap wrap-anywhere rounded-drawn border-2 border-line bg-sunken p-3 text-small';

export const posts: Post[] = [
  {
    slug: 'sql-vs-nosql',
    heading: 'SQL vs NoSQL',
    lead: 'A relational database stores data in tables and joins them in queries. A document database stores data that is read together in one document.',
    body: (
      <>
        <p>
          A relational database stores each fact once, in tables with fixed columns. Services, reviews and authors are
          three tables. A query can join them in any way, even in ways that nobody planned when the tables were created.
          Constraints reject incorrect data. A transaction makes all of its changes, or none of them.
        </p>
        <p>
          NoSQL is a name for several kinds of databases: document (MongoDB), key-value (Redis), wide-column (Cassandra)
          and graph (Neo4j). A document database can store everything that a page shows in one document, so the page
          needs one read and no join. The disadvantage is that data that is copied to many documents must be updated in
          all of them.
        </p>
        <p>Three common claims are wrong:</p>
        <ul className={list}>
          <li>
            “NoSQL has no schema.” The application always expects a certain structure. The question is whether the
            database checks it.
          </li>
          <li>“SQL does not scale.” One well-maintained PostgreSQL server is enough for most products.</li>
          <li>
            “NoSQL has no transactions.” MongoDB has supported transactions across documents since 2018. With a good
            data model you rarely need them.
          </li>
        </ul>
        <p>
          Start with the queries that you need. If you need many different queries on connected data, choose a
          relational database. If you need a few known queries, very often and on many servers, choose a document or
          key-value database. This site stores services and reviews as documents, because a page reads a whole service
          and each review belongs to one service.
        </p>
      </>
    ),
  },
  {
    slug: 'how-node-handles-concurrent-requests',
    heading: 'How Node handles concurrent requests',
    lead: 'Node runs your JavaScript on one thread and does not block while it waits. It can serve thousands of requests at once, as long as no code blocks that thread.',
    body: (
      <>
        <p>
          Imagine a cook who does not wait next to a pot until it boils. The cook puts the pot on the stove and starts
          the next order. When the pot boils, the cook comes back to it. Node works in the same way: your JavaScript
          runs on one thread, and slow operations run elsewhere.
        </p>
        <ul className={list}>
          <li>
            The operating system watches the sockets (epoll, kqueue, IOCP). Ten thousand open connections need memory,
            but no extra threads.
          </li>
          <li>
            File operations, <code>dns.lookup</code>, compression and password hashing run in libuv’s thread pool. It
            has four threads, unless you set <code>UV_THREADPOOL_SIZE</code>.
          </li>
          <li>
            The event loop runs callbacks in phases: timers, completed input and output, <code>setImmediate</code>, and
            closed handles. After each callback it runs all <code>process.nextTick</code> callbacks and promise
            callbacks.
          </li>
        </ul>
        <p>
          Two requests never run JavaScript at the same time, so a variable cannot change between two lines of
          synchronous code. It can change during an <code>await</code>, which is where race conditions happen in Node:
        </p>
        <pre className={code}>
          {`const stock = await read(id);      // both requests read 1
if (stock > 0) await write(id, stock - 1);  // both sell it`}
        </pre>
        <p>
          Use a single database operation instead (<code>update … where stock &gt; 0</code>). Do not block the thread: a
          slow regular expression or a loop over a million rows delays all requests. Move such work to a worker thread,
          or run several processes behind a load balancer. Several processes also let Node use more than one core.
        </p>
      </>
    ),
  },
  {
    slug: 'javascript-vs-node',
    heading: 'JavaScript vs Node',
    lead: 'JavaScript is a programming language. Node is a program that runs JavaScript outside the browser and gives it access to files and the network.',
    body: (
      <>
        <p>
          The ECMAScript standard defines JavaScript: values, functions, promises, modules, <code>Map</code> and{' '}
          <code>Array</code>. It does not cover the screen, files or the network. The environment that runs the language
          provides them.
        </p>
        <ul className={list}>
          <li>
            A browser adds <code>document</code>, <code>window</code>, storage and events such as clicks. A page runs in
            a sandbox, so it cannot read the files on your computer.
          </li>
          <li>
            Node adds files, sockets, processes and <code>Buffer</code>. It has the permissions of the user who started
            it. It has no <code>document</code>.
          </li>
          <li>
            Both have <code>fetch</code>, <code>URL</code>, streams, timers, <code>AbortController</code> and Web
            Crypto.
          </li>
        </ul>
        <p>
          Node combines V8 (Chrome’s JavaScript engine), libuv and a standard library. V8 compiles frequently used
          functions to machine code while they run. libuv handles asynchronous input and output. Deno and Bun are other
          environments for the same language.
        </p>
        <p>
          One practical difference is which JavaScript version you can use. In a browser, your code must support the
          oldest version that your users have. On a server, you choose the version. During development, this site’s
          server runs TypeScript files directly, because Node can remove the types itself.
        </p>
      </>
    ),
  },
  {
    slug: 'what-a-jwt-is',
    heading: 'What a JWT is',
    lead: 'A JWT is a signed token that says who you are and when the token expires. Anyone can read it, but only someone who has the key can create one.',
    body: (
      <>
        <p>
          A JSON Web Token has three parts, separated by dots: a header, the claims, and a signature of the header and
          the claims.
        </p>
        <pre className={code}>
          {`{"alg":"HS256","typ":"JWT"}
{"sub":"a7f2","iat":1767225600,"exp":1767229200}
HMAC-SHA256(key, header + "." + claims)`}
        </pre>
        <p>
          After you log in, the browser sends the token with each request, as <code>Authorization: Bearer …</code>. The
          server computes the signature again, compares the two signatures, and checks the expiry time. It does not need
          to look up a session in a database.
        </p>
        <ul className={list}>
          <li>
            A JWT is signed, but not encrypted. Anyone can decode the Base64url text of the claims, so do not put
            secrets in them.
          </li>
          <li>
            The server must decide which algorithm it accepts. A server that trusts the <code>alg</code> of the header
            may accept <code>none</code>, which means no signature.
          </li>
          <li>
            The server also checks <code>exp</code>, <code>iss</code> and <code>aud</code>, because a valid signature is
            not enough if the token is for another service.
          </li>
          <li>
            A JWT cannot be revoked before it expires. It should therefore be valid for minutes rather than months, or
            the server should check the account on each request.
          </li>
        </ul>
        <p>
          On this site a token is valid for one hour and is renewed automatically. It is stored in localStorage, which
          every script on the page can read. The page therefore runs only its own scripts and Google’s sign-in script.
        </p>
      </>
    ),
  },
];
