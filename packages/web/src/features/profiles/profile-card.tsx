import type { NotificationKind } from '@benchwatch/contract/notification-vocabulary'
import type { NotificationProfile, NotificationSettings } from '@benchwatch/contract/profiles'
import { useId } from 'react'
import { Card } from '../../ui/card.tsx'
import { Switch } from '../../ui/switch.tsx'
import { chosenAddresses, type EmailForm } from './email-form.ts'
import { NO_NUMBER, type SmsWay } from './message-addresses.tsx'
import { partTitles, profileSubjects, tellsAnything } from './notification-form.ts'
import styles from './notification-settings.module.css'
import { ProfileFilters } from './profile-filters.tsx'
import { ProfilePreview } from './profile-preview.tsx'

/** One profile: by which ways it tells, of which events, and what it would have told. */
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
  const isTelling = tellsAnything(settings, { hasSms: sms.isOffered })
  return (
    <Card title={partTitles[kind]}>
      <p className={styles.hint}>{profileSubjects[kind]}</p>
      <div className={styles.switches}>
        <WaySwitch
          label="E-mail"
          hint={addresses.length > 0 ? `To ${addresses.join(' and ')}` : 'No address is selected.'}
          isOn={settings.notifyEmail}
          isDisabled={isSaving}
          onChange={(notifyEmail) => onChange({ notifyEmail })}
        />
        {sms.isOffered && (
          <WaySwitch
            label="Text message"
            hint={sms.number === null ? NO_NUMBER : `To ${sms.number}`}
            isOn={settings.notifySms}
            // What is on can be switched off, whether or not there is a number.
            isDisabled={isSaving || (sms.number === null && !settings.notifySms)}
            onChange={(notifySms) => onChange({ notifySms })}
          />
        )}
      </div>
      <ProfileFilters
        title={partTitles[kind]}
        settings={settings}
        saved={props.saved}
        hindrance={isTelling ? null : offWords(sms)}
        isSaving={isSaving}
        onChange={onChange}
      />
      <ProfilePreview profileId={props.saved.id} kind={kind} settings={settings} isTelling={isTelling} />
    </Card>
  )
}

function offWords({ isOffered }: SmsWay): string {
  return `Switch ${isOffered ? 'e-mail or text message' : 'e-mail'} on to choose which events you are told of.`
}

function WaySwitch(props: {
  label: string
  hint: string
  isOn: boolean
  isDisabled: boolean
  onChange: (isOn: boolean) => void
}) {
  const id = useId()
  const hintId = useId()
  return (
    <div className={styles.switch}>
      <div className={styles.words}>
        <label htmlFor={id} className={styles.wayName}>
          {props.label}
        </label>
        <p id={hintId} className={styles.hint}>
          {props.hint}
        </p>
      </div>
      <Switch
        id={id}
        label={props.label}
        isOn={props.isOn}
        isDisabled={props.isDisabled}
        describedBy={hintId}
        onChange={props.onChange}
      />
    </div>
  )
}
