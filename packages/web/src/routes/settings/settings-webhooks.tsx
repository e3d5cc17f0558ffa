import { Stack } from '@mantine/core'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { WebhookList } from '../../features/webhooks/webhook-list.tsx'
import { NewWebhook, WebhookPage } from '../../features/webhooks/webhook-page.tsx'
import { readListSearch, writeListSearch } from '../../lib/list/list-address.ts'
import { Breadcrumb, PageHeader } from '../../ui/layout/page-frame.tsx'

/** /settings/webhooks */
export function WebhooksScreen() {
  return <WebhookList />
}

/** /settings/webhooks/new */
export function NewWebhookScreen() {
  const navigate = useNavigate()
  return (
    <Stack gap={14} maw={980}>
      <PageHeader crumbs={<WebhookCrumbs at="New" />} title="New webhook" />
      <NewWebhook
        onCreated={(webhookId) =>
          void navigate({ to: '/settings/webhooks/$webhookId', params: { webhookId }, search: {}, ignoreBlocker: true })
        }
        onCancel={() => void navigate({ to: '/settings/webhooks', search: {} })}
      />
    </Stack>
  )
}

/** /settings/webhooks/{id}; the address contains the page of the deliveries. */
export function WebhookScreen() {
  const { webhookId = '' } = useParams({ strict: false })
  const search = readListSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  return (
    <Stack gap={14}>
      <WebhookPage
        id={webhookId}
        crumbs={<WebhookCrumbs at="Webhook" />}
        search={search}
        onSearch={(next) =>
          void navigate({ to: '/settings/webhooks/$webhookId', params: { webhookId }, search: writeListSearch(next) })
        }
        onDeleted={() => void navigate({ to: '/settings/webhooks', search: {}, ignoreBlocker: true })}
      />
    </Stack>
  )
}

function WebhookCrumbs({ at }: { at: string }) {
  return (
    <Breadcrumb
      link={
        <Link to="/settings/webhooks" search={{}} activeOptions={{ exact: true }}>
          Webhooks
        </Link>
      }
      current={at}
    />
  )
}
