import type { OwnService } from '@rtr/shared';
import type { ActionFunctionArgs } from 'react-router-dom';
import { appIn } from '../../lib/app.ts';
import { type DeletionTexts, deleteOrRestore, useDeletions } from '../../ui/deletion.tsx';
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
  restoring: 'Restoring your service…',
  restored: 'Your service is back.',
  notRestored: 'Your service was not restored. Try again.',
};

/** The action of the route that lists the customer's own services. It withdraws or restores one service. */
export async function withdrawOrRestoreService({ request, context }: ActionFunctionArgs) {
  const app = appIn(context);
  const calls = { remove: (id: string) => withdrawService(app, id), restore: (id: string) => restoreService(app, id) };
  return deleteOrRestore(await request.formData(), calls, texts);
}

/** The services that were withdrawn or restored on this screen. */
export const useWithdrawals = () => useDeletions<OwnService>(texts);
