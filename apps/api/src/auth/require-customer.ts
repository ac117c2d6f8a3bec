import type { Access } from '@rtr/shared';
import type { Request } from 'express';
import type { Customer } from './access-token.ts';
import type { FirebaseUser } from './identity.ts';

/** Who a handler meets, by the route's access. */
export interface Callers {
  public: undefined;
  optional: Customer | undefined;
  customer: Customer;
  firebase: FirebaseUser;
}

/** The API's one way in: says who is calling, or throws an HttpError when they may not. */
export interface Gate {
  admit<A extends Access>(access: A, req: Request): Promise<Callers[A]>;
  /** Counts one write of this customer against their limit. */
  spend(uid: string): Promise<void>;
}
