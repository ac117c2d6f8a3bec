import type { OwnService } from '@rtr/shared';
import type { ActionFunctionArgs } from 'react-router-dom';
import { appIn } from '../../lib/app.ts';
import { type DeletionTexts, deleteOrRestore } from '../../ui/delete-or-restore.ts';
import { useDeletions } from '../../ui/deletion.tsx';
import { restoreService, withdrawService } from './write.ts';

const texts: DeletionTexts = {
  delete: 'Withdraw',
  deleteOf: (service) => `Withdraw ${service}`,
  confirmation: 'Withdraw this service? Nobody can then see the service or its reviews on this site.',
  deleting: 'Withdrawing your service…',
  deleted: 'Your service is withdrawn.',
  alreadyDeleted: 'This service was already withdrawn.',
  notDeleted: 'Your service was not withdrawn. Try again.',
  deletedOf: (service) => (
    <>
      <bdi>{service}</bdi> is withdrawn.
    </>
  ),
  restore: (service) => (
    <>
      List again <span className="sr-only">{service}</span>
    </>
  ),
  restoring: 'Listing your service again…',
  restored: 'Your service is listed again.',
  notRestored: 'Your service was not listed again. Try again.',
};

/** The action of the route that lists the customer's own services. It withdraws or restores one service. */
export async function withdrawOrRestoreService({ request, context }: ActionFunctionArgs) {
  const app = appIn(context);
  const calls = { remove: (id: string) => withdrawService(app, id), restore: (id: string) => restoreService(app, id) };
  return deleteOrRestore(await request.formData(), calls, texts);
}

/** The services that are withdrawn, and those that were withdrawn or listed again on this screen. */
export const useWithdrawals = (withdrawn?: readonly OwnService[]) =>
  useDeletions<OwnService>(texts, { deletedBefore: withdrawn, action: '/myservices' });
