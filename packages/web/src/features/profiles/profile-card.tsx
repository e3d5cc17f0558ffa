import type { NotificationProfile, NotificationSettings } from '@benchwatch/contract/profiles'
import type { NotificationKind } from '@benchwatch/contract/vocabulary'
import { Paper, SimpleGrid, Text } from '@mantine/core'
import { Switch } from '../../ui/form/switch.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { NO_NUMBER, type SmsWay } from './message-addresses.tsx'
import { chosenAddresses, type EmailForm, partTitles, profileSubjects, sendsAnything } from './notification-form.ts'
import { ProfileFilters } from './profile-filters.tsx'
import { ProfilePreview } from './profile-preview.tsx'

/** One notification profile: channels, filters and preview. */
export function ProfileCard(props: {
  kind: NotificationKind
  saved: NotificationProfile
  settings: NotificationSettings
  email: { form: EmailForm; ownAddress: string }
  sms: SmsWay
  isSaving: boolean
  onChange: (edits: Partial<NotificationSettings>) => void
}) {
  const { kind, settings, sms, isSaving, onChange } = props
  const addresses = chosenAddresses(props.email.form, props.email.ownAddress)
  const isNotifying = sendsAnything(settings, { hasSms: sms.isOffered })
  return (
    <Card title={partTitles[kind]}>
      <Text c="dimmed">{profileSubjects[kind]}</Text>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing={32} verticalSpacing={8} mt={12}>
        <Paper withBorder radius={8} p="6px 12px">
          <Switch
            label="E-mail"
            hint={addresses.length > 0 ? `To ${addresses.join(' and ')}` : 'No address is selected.'}
            isOn={settings.notifyEmail}
            isDisabled={isSaving}
            onChange={(notifyEmail) => onChange({ notifyEmail })}
          />
        </Paper>
        {sms.isOffered && (
          <Paper withBorder radius={8} p="6px 12px">
            <Switch
              label="Text message"
              hint={sms.number === null ? NO_NUMBER : `To ${sms.number}`}
              isOn={settings.notifySms}
              // A switch that is on can be turned off even without a number.
              isDisabled={isSaving || (sms.number === null && !settings.notifySms)}
              onChange={(notifySms) => onChange({ notifySms })}
            />
          </Paper>
        )}
      </SimpleGrid>
      <ProfileFilters
        title={partTitles[kind]}
        settings={settings}
        saved={props.saved}
        hindrance={isNotifying ? null : channelsOffHint(sms)}
        isSaving={isSaving}
        onChange={onChange}
      />
      <ProfilePreview profileId={props.saved.id} kind={kind} settings={settings} isNotifying={isNotifying} />
    </Card>
  )
}

function channelsOffHint({ isOffered }: SmsWay): string {
  return `Turn on ${isOffered ? 'e-mail or text message' : 'e-mail'} to choose the events.`
}
