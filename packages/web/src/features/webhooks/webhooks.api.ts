import type { WebhookInput } from '@benchwatch/contract/messages/webhooks'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/http.ts'
import { type ListPlace, pageQuery } from '../../lib/list/list-address.ts'

/** API calls for webhooks and their deliveries. */

/** Requests are sent seconds after they are queued, and the server pushes no update. */
const REFRESH_MS = 5000

const root = ['webhooks'] as const

/** The caller's webhooks; administrators also get those of others. */
export function webhooksQuery() {
  return queryOptions({
    queryKey: [...root, 'list'],
    queryFn: async ({ signal }) => (await call('listWebhooks', { signal })).values,
    refetchInterval: REFRESH_MS,
  })
}

/** One page of the deliveries of a webhook, newest first. */
export function webhookDeliveriesQuery(id: string, { page, pageSize }: ListPlace) {
  return queryOptions({
    queryKey: [...root, 'deliveries', id, { page, pageSize }],
    queryFn: ({ signal }) =>
      call('listWebhookDeliveries', { params: { id }, query: pageQuery({ page, pageSize }), signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })
}

function useWebhookMutation<Input, Answer>(mutationFn: (input: Input) => Promise<Answer>) {
  const client = useQueryClient()
  return useMutation({ mutationFn, onSuccess: () => client.invalidateQueries({ queryKey: root }) })
}

export const useCreateWebhook = () => useWebhookMutation((body: WebhookInput) => call('createWebhook', { body }))

export const useUpdateWebhook = () =>
  useWebhookMutation(({ id, body }: { id: string; body: WebhookInput }) =>
    call('updateWebhook', { params: { id }, body }),
  )

export const useDeleteWebhook = () => useWebhookMutation((id: string) => call('deleteWebhook', { params: { id } }))

export const useRotateWebhookSecret = () =>
  useWebhookMutation((id: string) => call('rotateWebhookSecret', { params: { id } }))

export const useTestWebhook = () => useWebhookMutation((id: string) => call('testWebhook', { params: { id } }))

export const useResendDelivery = () =>
  useWebhookMutation((params: { id: string; deliveryId: string }) => call('resendWebhookDelivery', { params }))
