import { type ServiceInput, serviceInput } from '@rtr/shared';
import * as z from 'zod/mini';

/** A new service in which every field is empty. */
export const blankService: ServiceInput = z.parse(serviceInput, {});
