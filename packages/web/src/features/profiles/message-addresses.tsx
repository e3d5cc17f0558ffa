import { MAX_ADDRESS_LENGTH } from '@benchwatch/contract/field-rules'
import { Checkbox, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import type { FieldProblems } from '../../lib/http.ts'
import { Card } from '../../ui/layout/card.tsx'
import { type EmailForm, partTitles, tickOther } from './notification-form.ts'

/** The deployment's support for text messages, and the user's number. */
export interface SmsWay {
  isOffered: boolean
  number: string | null
}

/** Shown in place of a missing number. */
export const NO_NUMBER = 'No mobile number yet. An administrator can add it to your account.'

/** E-mail addresses, and the mobile number, which only administrators can change. */
export function MessageAddresses(props: {
  form: EmailForm
  /** The address that the user signs in with. */
  ownAddress: string
  sms: SmsWay
  problems: FieldProblems
  /** True once the user tried to save. Problems of untouched fields are then shown, too. */
  isSubmitted: boolean
  isSaving: boolean
  /** An example address for the other field. */
  placeholder: string
  onChange: (edits: Partial<EmailForm>) => void
}) {
  const { form, sms, problems, isSaving, onChange } = props
  const [isLeft, setLeft] = useState(false)
  const groupId = useId()
  const problemId = useId()

  return (
    <Card title={partTitles.email}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing={32} verticalSpacing={18}>
        <Stack gap={10} role="group" aria-labelledby={groupId} aria-describedby={problems.addresses && problemId}>
          <Text id={groupId} fw={560}>
            E-mail
          </Text>
          <Checkbox
            label="Default"
            description={props.ownAddress}
            checked={form.useDefaultEmail}
            disabled={isSaving}
            aria-invalid={problems.addresses !== undefined || undefined}
            onChange={({ currentTarget }) => onChange({ useDefaultEmail: currentTarget.checked })}
          />
          <Checkbox
            label="Other"
            description="Another company address"
            checked={form.useNotificationEmail}
            disabled={isSaving}
            onChange={({ currentTarget }) => {
              setLeft(false)
              onChange(tickOther(currentTarget.checked))
            }}
          />
          {form.useNotificationEmail && (
            <TextInput
              maw={360}
              // Aligned with the label of its checkbox.
              ml={30}
              aria-label="Other e-mail address"
              type="email"
              autoComplete="email"
              placeholder={props.placeholder}
              maxLength={MAX_ADDRESS_LENGTH}
              autoFocus={form.notificationEmail === ''}
              readOnly={isSaving}
              value={form.notificationEmail}
              error={(isLeft || props.isSubmitted) && problems.notificationEmail}
              onChange={({ currentTarget }) => onChange({ notificationEmail: currentTarget.value })}
              onBlur={() => setLeft(form.notificationEmail !== '')}
            />
          )}
          {problems.addresses !== undefined && (
            <Text id={problemId} c="var(--bw-danger)" role="alert">
              {problems.addresses}
            </Text>
          )}
        </Stack>
        {sms.isOffered && (
          <Stack gap={10}>
            <Text fw={560}>Text message</Text>
            <Text c={sms.number === null ? 'dimmed' : undefined}>{sms.number ?? NO_NUMBER}</Text>
          </Stack>
        )}
      </SimpleGrid>
    </Card>
  )
}
