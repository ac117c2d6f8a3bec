import { callAuthEmulator } from '@rtr/dev-stack/auth-emulator';
import { signUpOrLogIn } from '../../../src/customers.ts';
import type { Installation } from '../installation.ts';
import type { Context } from './checks.ts';
import type { Customer } from './model.ts';

/** Signs up a customer with a name and a picture, and gets an access token for them. */
export async function signUp(
  { emulatorOrigin: authEmulator }: Installation,
  { model, requests }: Pick<Context, 'model' | 'requests'>,
  index: number,
  generation = 1,
): Promise<Customer> {
  const signedUp = await signUpOrLogIn({ authEmulator, api: '' }, `cook-${index}`);
  const name = `Cook ${index}.${generation}`;
  const photo = `https://pictures.kitchen-photos.com/cook-${index}-${generation}.jpg`;
  const profile = { idToken: signedUp.idToken, displayName: name, photoUrl: photo };
  await callAuthEmulator(authEmulator, 'accounts:update', profile);
  // The ID token of the sign-up does not contain the new name and picture. So log in again for a new ID token.
  const { uid, email, idToken } = await signUpOrLogIn({ authEmulator, api: '' }, `cook-${index}`);
  const customer: Customer = {
    index,
    generation,
    name,
    photo,
    uid,
    email,
    address: `10.255.${index >> 8}.${index & 255}`,
    services: new Set(),
    reviews: new Set(),
    votes: new Set(),
    reports: new Map(),
    reportCount: 0,
    log: [],
    // The first request of the customer trades the Firebase ID token for an access token.
    token: idToken,
  };
  const answer = await requests.send(customer, 'POST', '/jwt', { body: { email } });
  if (answer.status !== 200) throw new Error(`POST /jwt responded with ${answer.status}: ${answer.text}`);
  customer.token = (JSON.parse(answer.text) as { token: string }).token;
  model.customers.add(customer);
  return customer;
}

/** Closes the account of a customer, who then signs up again with the same email. The new account must be empty. */
export async function replaceAccount(
  installation: Installation,
  { model, requests, lists, checks }: Omit<Context, 'random'>,
  customer: Customer,
): Promise<Customer> {
  const { services, reviews, votes, index, generation, uid } = customer;
  const affected = new Set([...services, ...[...reviews, ...votes].map(({ service }) => service)]);
  const logs = [customer, ...affected];
  await model.write(affected, async () => {
    // An account can be closed only shortly after a login, so the customer logs in again.
    const { idToken } = await signUpOrLogIn({ authEmulator: installation.emulatorOrigin, api: '' }, `cook-${index}`);
    const closing = { ...customer, token: idToken };
    const answer = await requests.send(closing, 'DELETE', '/account', { about: [...affected] });
    if (checks.isExpected(answer, [200], logs)) model.closeAccount(customer);
  });
  const next = await signUp(installation, { model, requests }, index, generation + 1);
  if (next.uid === uid) model.reportDifference(`The account of ${customer.name} still exists`, [customer]);
  for (const list of [lists.ownReviews, lists.ownServices, lists.votes, lists.replies])
    await lists.compare(requests, list(next, { limit: '5' }));
  return next;
}
