import { type ServiceInput, serviceInput } from '@rtr/shared';
import * as z from 'zod/mini';

/** The lister of the services that tests add without the API. */
export const someLister = { uid: 'lister', name: 'Lister', picture: '' };

/** A new service in which every field is empty. */
export const blankService: ServiceInput = z.parse(serviceInput, {});
