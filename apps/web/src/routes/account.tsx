import { cleanName } from '@rtr/shared';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import {
  type ActionFunctionArgs,
  Link,
  type LoaderFunctionArgs,
  useFetcher,
  useLoaderData,
  useNavigate,
} from 'react-router-dom';
import * as z from 'zod/mini';
import { DeleteAccount, type NotDeleted } from '../features/auth/delete-account.tsx';
import { nameField } from '../features/auth/name.ts';
import { PictureField } from '../features/auth/picture-field.tsx';
import { deleteAccount, ready, type SessionUser, saveProfile, signOut, useSession } from '../features/auth/session.ts';
import { logInAgain, signInText, waysIn } from '../features/auth/sign-in.ts';
import { toCsv, toJson } from '../features/reviews/export.ts';
import { allOwnReviews, ownReviewsQuery } from '../features/reviews/queries.ts';
import { ApiError, NetworkError, UnexpectedAnswer } from '../lib/api-error.ts';
import { type App, appIn } from '../lib/app.ts';
import { download } from '../lib/download.ts';
import { dropDraft } from '../lib/draft.ts';
import { failureOf } from '../lib/failure.ts';
import { parseForm } from '../lib/form.ts';
import { usePageTitle } from '../lib/page-title.ts';
import { optionalPictureAddress } from '../lib/picture-address.ts';
import { useDraft } from '../lib/use-draft.ts';
import { useFirstError } from '../lib/use-first-error.ts';
import { useSingleFlight } from '../lib/use-single-flight.ts';
import { Alert } from '../ui/alert.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { DraftNote } from '../ui/draft-note.tsx';
import { failureText } from '../ui/failure-alert.tsx';
import { Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { LeaveGuard } from '../ui/leave-guard.tsx';
import { ProgressBars } from '../ui/page-state.tsx';
import { toast } from '../ui/toasts.tsx';

const text = {
  name: 'Account',
  nameless: 'No name yet',
  profile: {
    title: 'Name and photo',
    keeps:
      'They stand beside what you write from now on. A review keeps the name and photo under which it was written.',
    name: 'Name',
    save: 'Save changes',
    saving: 'Saving your changes…',
    saved: 'Your name and photo are saved.',
    failed: 'Your name and photo were not saved. Try again in a minute.',
  },
  reviews: {
    title: 'Your reviews',
    body: 'Take them with you as a file: JSON as our server gives them, or CSV for a spreadsheet. In the CSV an apostrophe stands before anything a spreadsheet would run as a formula.',
    none: 'You have not reviewed anything yet.',
    see: 'See your reviews',
    export: (format: string) => `Export as ${format}`,
    exported: (total: number) => `${total === 1 ? '1 review is' : `${total} reviews are`} in the file.`,
    failed: 'Your reviews were not exported. Try again.',
  },
  deletion: {
    title: 'Delete account',
    warning: (reviews: string) =>
      `This deletes your account and your ${reviews}, for good. Export them first if you want to keep the words.`,
    warningWithout: 'This deletes your account, for good.',
    reviews: (total: number | undefined) =>
      total === undefined ? 'reviews' : `${total} ${total === 1 ? 'review' : 'reviews'}`,
    services: 'Services you listed stay, with no owner.',
    delete: 'Delete my account',
    deleting: 'Deleting your account…',
    deleted: 'Your account is deleted.',
    wrongPassword: 'That password is not right. Check it, or sign out and set a new one at the login.',
    failed: 'Your account is not deleted. Try again in a minute.',
    unknown: 'No answer came, so we do not know whether your account is deleted. Try again in a minute.',
    closed: 'This login no longer holds: your session has ended, or your account is deleted already.',
  },
};

const profileForm = z.object({
  name: nameField,
  picture: optionalPictureAddress,
});

export async function loader({ context }: LoaderFunctionArgs) {
  const user = await ready();
  // The page around this one sends visitors to the login.
  if (!user) return null;
  const { http, queries } = appIn(context);
  const query = ownReviewsQuery(http, user.email);
  // Only their number is shown, and the page stands without it.
  void queries.prefetchInfiniteQuery(query);
  return { query };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const form = await request.formData();
  return form.get('intent') === 'profile'
    ? changeProfile(form)
    : exportReviews(appIn(context), form.get('format') === 'csv');
}

type Errors = Partial<Record<string, string>>;

/** What is wrong, by field name; under '' what the provider says. */
async function changeProfile(form: FormData): Promise<Errors> {
  const parsed = parseForm(profileForm, form);
  if (!parsed.ok) return parsed.errors;
  try {
    const profile = { displayName: parsed.values.name, photoURL: parsed.values.picture };
    await toast.during(saveProfile(profile), text.profile.saving, 'profile');
  } catch (error) {
    const said = signInText(error, text.profile.failed) ?? text.profile.failed;
    toast.error(said, { id: 'profile' });
    return { '': said };
  }
  toast.success(text.profile.saved, { id: 'profile' });
  return {};
}

/** What went wrong; null when the file is saved. */
async function exportReviews({ http }: App, csv: boolean): Promise<string | null> {
  const user = await ready();
  try {
    const reviews = await allOwnReviews(http, user?.email ?? '');
    const name = `rtr-cloud-kitchen-reviews-${new Date().toISOString().slice(0, 10)}`;
    if (csv) download(`${name}.csv`, 'text/csv;charset=utf-8', toCsv(reviews));
    else download(`${name}.json`, 'application/json', toJson(reviews));
    toast.success(text.reviews.exported(reviews.length));
    return null;
  } catch (error) {
    const failure = failureOf(error);
    return failure.reason === 'away' ? text.reviews.failed : failureText(failure, text.reviews.failed);
  }
}

/** Why the account stands; null when it is gone. */
async function removeAccount(password: string | null): Promise<NotDeleted | null> {
  try {
    if (password !== null) await logInAgain(password);
  } catch (error) {
    return { said: signInText(error, text.deletion.wrongPassword) };
  }
  try {
    await toast.during(deleteAccount(), text.deletion.deleting, 'deletion');
    return null;
  } catch (error) {
    if (error instanceof NetworkError || error instanceof UnexpectedAnswer) return { said: text.deletion.unknown };
    if (!(error instanceof ApiError)) return { said: signInText(error, text.deletion.failed) };
    if (error.status === 403) return { again: await waysIn() };
    if (error.status === 401) return { said: text.deletion.closed };
    const failure = failureOf(error);
    return { said: failure.reason === 'away' ? text.deletion.failed : failureText(failure, text.deletion.failed) };
  }
}

export function Component() {
  usePageTitle(text.name);
  const { user } = useSession();
  const data = useLoaderData<typeof loader>();
  const [round, setRound] = useState(0);
  const [deleted, setDeleted] = useState(false);
  if (!user || !data) return <ProgressBars />;
  return (
    <div className="column grid gap-8 py-8 md:py-12">
      <header className="grid gap-4">
        <h1 className="text-heading">{text.name}</h1>
        <div className="flex items-center gap-4">
          <Avatar src={user.photoURL} name={user.displayName || user.email} />
          <p className="grid min-w-0">
            <bdi className="text-title wrap-anywhere">{user.displayName || text.nameless}</bdi>
            <span className="wrap-anywhere text-muted">{user.email}</span>
          </p>
        </div>
      </header>
      <div className="border-t-4 border-ink">
        {!deleted && (
          <Profile
            key={`${user.uid} ${round}`}
            user={user}
            onStartOver={() => {
              dropDraft(user.uid, subject);
              setRound(round + 1);
            }}
          />
        )}
        {/* At once: with the account goes what was to be saved, and nothing keeps from leaving. */}
        <Reviews query={data.query} onDeleted={() => flushSync(() => setDeleted(true))} />
      </div>
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-4 border-dashed border-control py-8 not-first:border-t-2 md:grid-cols-[1fr_2fr] md:gap-12">
      <h2 className="text-section">{title}</h2>
      <div className="grid max-w-130 content-start gap-4">{children}</div>
    </section>
  );
}

const subject = 'profile';

function Profile({ user, onStartOver }: { user: SessionUser; onStartOver: () => void }) {
  const { profile } = text;
  const { submit, data } = useFetcher<Errors>();
  useFirstError(data);
  const errors = data ?? {};
  const saved = { name: user.displayName, picture: user.photoURL };
  const draft = useDraft(user.uid, subject);
  const [typed, setTyped] = useState({ ...saved, ...draft.found?.values });
  const differs = ({ name, picture }: typeof saved) => cleanName(name) !== saved.name || picture !== saved.picture;
  const unsaved = differs(typed);
  // What is saved is a draft no longer.
  useEffect(() => {
    if (!unsaved) dropDraft(user.uid, subject);
  }, [unsaved, user.uid]);
  const change = (to: Partial<typeof saved>) => {
    const next = { ...typed, ...to };
    setTyped(next);
    if (differs(next)) draft.keep(next);
    else dropDraft(user.uid, subject);
  };
  return (
    <Part title={profile.title}>
      <p className="text-muted">{profile.keeps}</p>
      <Form send={(form) => submit(form)} className="grid gap-4">
        <input type="hidden" name="intent" value="profile" />
        <Field
          label={profile.name}
          error={errors.name}
          name="name"
          autoComplete="name"
          required
          value={typed.name}
          onChange={(event) => change({ name: event.target.value })}
        />
        <PictureField
          error={errors.picture}
          name={user.displayName || user.email}
          initial={typed.picture}
          onChange={(picture) => change({ picture })}
        />
        <DraftNote draft={draft} does="save" isUnsent={unsaved} onStartOver={onStartOver} />
        {unsaved && draft.kept !== undefined && <LeaveGuard does="save" kept={draft.kept} />}
        {errors[''] && <Alert>{errors['']}</Alert>}
        <Button type="submit" className="justify-self-start">
          {profile.save}
        </Button>
      </Form>
    </Part>
  );
}

/** The customer's reviews as files, and the way out, which takes them along. */
function Reviews({ query, onDeleted }: { query: ReturnType<typeof ownReviewsQuery>; onDeleted: () => void }) {
  const { reviews, deletion } = text;
  const { data } = useInfiniteQuery(query);
  const total = data?.pages.at(-1)?.total;
  return (
    <>
      <Part title={reviews.title}>
        {total === 0 ? <p className="text-muted">{reviews.none}</p> : <Export />}
        <Link to="/myReview" className="link justify-self-start">
          {reviews.see}
        </Link>
      </Part>
      <Part title={deletion.title}>
        <Deletion onDeleted={onDeleted}>
          <p>{total === 0 ? deletion.warningWithout : deletion.warning(deletion.reviews(total))}</p>
          <p className="text-muted">{deletion.services}</p>
        </Deletion>
      </Part>
    </>
  );
}

function Export() {
  const { reviews } = text;
  const fetcher = useFetcher<string | null>();
  const underWay = fetcher.formData?.get('format');
  const [save] = useSingleFlight((format: 'json' | 'csv') =>
    fetcher.submit({ intent: 'export', format }, { method: 'post' }),
  );
  return (
    <>
      <p className="text-muted">{reviews.body}</p>
      <div className="flex flex-wrap gap-4">
        <Button tone="quiet" pending={underWay === 'json'} onClick={() => void save('json')}>
          {reviews.export('JSON')}
        </Button>
        <Button tone="quiet" pending={underWay === 'csv'} onClick={() => void save('csv')}>
          {reviews.export('CSV')}
        </Button>
      </div>
      {fetcher.state === 'idle' && fetcher.data && <Alert>{fetcher.data}</Alert>}
    </>
  );
}

function Deletion({ onDeleted, children }: { onDeleted: () => void; children: ReactNode }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { user } = useSession();
  const [open, setOpen] = useState(false);
  const remove = async (password: string | null) => {
    const stands = await removeAccount(password);
    if (stands) return stands;
    // The reviews are gone from every list that was fetched before; this page's own go with the sign-out.
    queries.removeQueries({ type: 'inactive' });
    onDeleted();
    // Drawn before the sign-out: a protected page sends to the login whoever is signed out on it.
    await navigate('/', { flushSync: true });
    toast.success(text.deletion.deleted, { id: 'deletion' });
    await signOut(user);
    return null;
  };
  return (
    <>
      {children}
      <Button tone="danger" className="justify-self-start" onClick={() => setOpen(true)}>
        {text.deletion.delete}
      </Button>
      {open && (
        <DeleteAccount onDelete={remove} onClose={() => setOpen(false)}>
          {children}
        </DeleteAccount>
      )}
    </>
  );
}
