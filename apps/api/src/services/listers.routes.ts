import type { AddRead } from '../http/public-reads.ts';
import { createPageResponse } from '../http/send-page.ts';
import type { ReplyStore } from '../reviews/replies.store.ts';
import type { ReviewStore } from '../reviews/reviews.store.ts';
import type { ListerStore } from './listers.store.ts';

interface ListerRoutesOptions {
  listers: Pick<ListerStore, 'find' | 'findServices'>;
  reviews: Pick<ReviewStore, 'findPageByServices'>;
  replies: Pick<ReplyStore, 'findShare'>;
}

export function addListerRoutes(addRead: AddRead, { listers, reviews, replies }: ListerRoutesOptions): void {
  addRead('GET /listers/:id', {
    async read({ params }) {
      const { lister, serviceIds } = await listers.find(params.id);
      return { body: { ...lister, replyShare: await replies.findShare(serviceIds) } };
    },
  });

  addRead('GET /listers/:id/services', {
    read: async ({ params, query }) => createPageResponse(query, await listers.findServices(params.id, query)),
  });

  addRead('GET /listers/:id/reviews', {
    async read({ params, query }) {
      return createPageResponse(query, await reviews.findPageByServices(await listers.find(params.id), query));
    },
  });
}
