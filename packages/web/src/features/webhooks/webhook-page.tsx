import type { Webhook } from '@benchwatch/contract/messages/webhooks'
import { limits, occasionsOfFormat, type WebhookFormat, webhookOccasionLabels } from '@benchwatch/contract/vocabulary'
import { Button, Checkbox, NativeSelect, Switch, Text, TextInput } from '@mantine/core'
import { IconKey, IconSend } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { reasonOf } from '../../lib/folded.ts'
import type { ListSearch } from '../../lib/list/list-address.ts'
import { readAgain } from '../../lib/read-again.ts'
import { formatEventTime } from '../../lib/time/dates.ts'
import { type RecordForm as Form, FormSkeleton, RecordForm, useRecordForm } from '../../ui/form/record-form.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { PageHeader } from '../../ui/layout/page-frame.tsx'
import { confirm } from '../../ui/overlay/confirm.tsx'
import { DeleteButton } from '../../ui/overlay/delete-button.tsx'
import { SecretDialog } from '../../ui/overlay/secret-dialog.tsx'
import { showFailure, showSuccess } from '../../ui/overlay/toasts.ts'
import { ErrorState, FailedQuery } from '../../ui/text/notice.tsx'
import { ProfileFilters } from '../profiles/profile-filters.tsx'
import { WebhookDeliveries } from './webhook-deliveries.tsx'
import {
  addressHints,
  emptyWebhook,
  formatChoices,
  occasionsFor,
  type WebhookForm,
  webhookForm,
  webhookInput,
  webhookProblems,
} from './webhook-form.ts'
import { WebhookState } from './webhook-list.tsx'
import {
  useCreateWebhook,
  useDeleteWebhook,
  useRotateWebhookSecret,
  useTestWebhook,
  useUpdateWebhook,
  webhooksQuery,
} from './webhooks.api.ts'

const SECRET_HINT = 'The receiver needs it to check the signatures.'

/** Creates a webhook and shows its secret once. `onCreated` and `onCancel` leave the screen. */
export function NewWebhook(props: { onCreated: (id: string) => void; onCancel: () => void }) {
  const create = useCreateWebhook()
  const [created, setCreated] = useState<{ id: string; name: string; secret: string } | null>(null)
  const form = useRecordForm<WebhookForm>({
    record: emptyWebhook,
    problemsOf: (values) => webhookProblems(values, { hasKey: false }),
    save: async (values) => {
      setCreated(await create.mutateAsync(webhookInput(values)))
      return values
    },
  })
  return (
    <Card>
      <RecordForm form={form} saveLabel="Create webhook" discardLabel="Cancel" onCancel={props.onCancel}>
        <WebhookFields form={form} saved={emptyWebhook} hasKey={false} />
      </RecordForm>
      {created !== null && (
        <SecretDialog
          title={`Secret of ${created.name}`}
          secret={created.secret}
          hint={SECRET_HINT}
          onDone={() => props.onCreated(created.id)}
        />
      )}
    </Card>
  )
}

/** One webhook of the viewer: settings, actions and deliveries. */
export function WebhookPage(props: {
  id: string
  crumbs: ReactNode
  search: ListSearch
  onSearch: (search: ListSearch) => void
  onDeleted: () => void
}) {
  const { id, crumbs } = props
  const webhooks = useQuery(webhooksQuery())
  const webhook = webhooks.data?.find((one) => one.id === id && one.isOwn)
  if (webhook === undefined)
    return (
      <>
        <PageHeader crumbs={crumbs} title="Webhook" />
        {webhooks.isPending ? (
          <FormSkeleton label="Loading webhook…" fields={6} />
        ) : webhooks.data === undefined ? (
          <FailedQuery title="Could not get webhook" query={webhooks} />
        ) : (
          <ErrorState title="Webhook not found">Check the address, or look in the list of webhooks.</ErrorState>
        )}
      </>
    )
  return (
    <>
      <PageHeader crumbs={crumbs} title={webhook.name} note={<WebhookState webhook={webhook} />}>
        <Actions webhook={webhook} onDeleted={props.onDeleted} />
      </PageHeader>
      <Settings key={id} webhook={webhook} />
      <WebhookDeliveries webhook={webhook} search={props.search} onSearch={props.onSearch} />
    </>
  )
}

function Settings({ webhook }: { webhook: Webhook }) {
  const client = useQueryClient()
  const update = useUpdateWebhook()
  const saved = webhookForm(webhook)
  const form = useRecordForm<WebhookForm>({
    record: saved,
    // Another window may have paused it in the meantime.
    read: async () => {
      const now = await readAgain(client, webhooksQuery())
      return { record: webhookForm(now.find(({ id }) => id === webhook.id) ?? webhook) }
    },
    problemsOf: (values) => webhookProblems(values, { hasKey: webhook.hasRoutingKey }),
    save: async (values) => {
      const stored = await update.mutateAsync({ id: webhook.id, body: webhookInput(values) })
      showSuccess({ title: `Webhook ${stored.name} saved` })
      return webhookForm(stored)
    },
  })
  return (
    <Card>
      <RecordForm form={form}>
        <WebhookFields form={form} saved={saved} hasKey={webhook.hasRoutingKey} />
      </RecordForm>
    </Card>
  )
}

function WebhookFields({ form, saved, hasKey }: { form: Form<WebhookForm>; saved: WebhookForm; hasKey: boolean }) {
  const { format, occasions, filter, isOn } = form.values
  return (
    <>
      <TextInput
        label="Name"
        required
        autoComplete="off"
        maxLength={limits.webhookName}
        {...form.getInputProps('name')}
      />
      <NativeSelect
        label="Format"
        data={formatChoices}
        value={format}
        onChange={({ currentTarget }) => {
          const chosen = currentTarget.value as WebhookFormat
          form.change({ format: chosen, occasions: occasionsFor(chosen, occasions) })
        }}
      />
      <TextInput
        wrapperProps={{ 'data-wide': true }}
        label="Address"
        description={addressHints[format]}
        type="url"
        required
        autoComplete="off"
        spellCheck={false}
        maxLength={limits.webhookUrl}
        {...form.getInputProps('url')}
      />
      {format === 'pagerduty' && (
        <TextInput
          wrapperProps={{ 'data-wide': true }}
          label="Integration key"
          description={hasKey ? 'A key is stored. Enter another one to replace it.' : 'The key of the service.'}
          required={!hasKey}
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          {...form.getInputProps('routingKey')}
        />
      )}
      <Checkbox.Group
        label="Send when"
        {...form.getInputProps('occasions')}
        value={occasions}
        onChange={(values) => form.change({ occasions: occasionsFor(format, values) })}
      >
        {occasionsOfFormat[format].map((occasion) => (
          <Checkbox key={occasion} mt={6} value={occasion} label={webhookOccasionLabels[occasion]} />
        ))}
      </Checkbox.Group>
      <Switch
        label="On"
        description="What happens while it is off is not sent later."
        checked={isOn}
        onChange={({ currentTarget }) => form.change({ isOn: currentTarget.checked })}
      />
      <div data-wide>
        <ProfileFilters
          title="the webhook"
          settings={filter}
          saved={saved.filter}
          hindrance={null}
          isSaving={form.isSaving}
          onChange={(edits) => form.change({ filter: { ...filter, ...edits } })}
        />
        <Text c="dimmed" size="xs" mt={8}>
          Instruments have no event type, severity or component, so these filters concern events only.
        </Text>
      </div>
    </>
  )
}

function Actions({ webhook, onDeleted }: { webhook: Webhook; onDeleted: () => void }) {
  const { id, name, previousSecretUntil } = webhook
  const test = useTestWebhook()
  const rotate = useRotateWebhookSecret()
  const remove = useDeleteWebhook()
  const [secret, setSecret] = useState<string | null>(null)

  async function handleTest() {
    try {
      await test.mutateAsync(id)
      showSuccess({ title: 'Test queued', message: 'Its outcome appears among the deliveries.' })
    } catch (error) {
      showFailure({ title: 'Could not send a test', message: reasonOf(error) })
    }
  }

  async function handleRotate() {
    const ends =
      previousSecretUntil === null
        ? ''
        : ` The secret before it ends now instead of ${formatEventTime(previousSecretUntil)}.`
    const message = `Replace the secret of ${name}? For a day, requests are signed with the old one as well.${ends}`
    if (!(await confirm({ message, confirmLabel: 'Replace' }))) return
    try {
      setSecret((await rotate.mutateAsync(id)).secret)
    } catch (error) {
      showFailure({ title: 'Could not replace the secret', message: reasonOf(error) })
    }
  }

  return (
    <>
      <Button
        variant="default"
        leftSection={<IconSend size={16} stroke={1.7} aria-hidden="true" />}
        loading={test.isPending}
        onClick={() => void handleTest()}
      >
        Send test
      </Button>
      <Button
        variant="default"
        leftSection={<IconKey size={16} stroke={1.7} aria-hidden="true" />}
        loading={rotate.isPending}
        onClick={() => void handleRotate()}
      >
        New secret
      </Button>
      <DeleteButton
        noun="webhook"
        name={name}
        consequence="Its log and its unsent messages are also deleted."
        remove={() => remove.mutateAsync(id)}
        onDeleted={onDeleted}
      />
      {secret !== null && (
        <SecretDialog
          title={`New secret of ${name}`}
          secret={secret}
          hint={SECRET_HINT}
          onDone={() => setSecret(null)}
        />
      )}
    </>
  )
}
