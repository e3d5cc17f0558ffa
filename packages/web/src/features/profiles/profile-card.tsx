import type { NotificationProfile, NotificationSettings } from '@benchwatch/contract/profiles'
import type { NotificationCategory, NotificationKind } from '@benchwatch/contract/vocabulary'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { midSentence } from '../../lib/folded.ts'
import { Switch } from '../../ui/form/switch.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { filtersQuery } from '../users/users.api.ts'
import { FilterRow } from './filter-row.tsx'
import { NO_NUMBER, type SmsWay } from './message-addresses.tsx'
import { edgeIssueStoppers, offeredFilters } from './notification-filters.ts'
import {
  chosenAddresses,
  type EmailForm,
  hasFilters,
  inSavedOrder,
  partTitles,
  profileSubjects,
  sendsAnything,
  withoutFilters,
} from './notification-form.ts'
import styles from './notification-settings.module.css'
import filterStyles from './profile-filters.module.css'
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
            // A switch that is on can be turned off even without a number.
            isDisabled={isSaving || (sms.number === null && !settings.notifySms)}
            onChange={(notifySms) => onChange({ notifySms })}
          />
        )}
      </div>
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

/**
 * The eleven filter categories. They are disabled while saving and while no channel is on; `hindrance` then says what
 * to do (document 2 section 2 "Behaviour").
 */
function ProfileFilters(props: {
  /** The profile's title. */
  title: string
  settings: NotificationSettings
  saved: NotificationSettings
  hindrance: string | null
  isSaving: boolean
  onChange: (edits: Partial<NotificationSettings>) => void
}) {
  const { settings, saved, hindrance, onChange } = props
  const filterData = useQuery(filtersQuery())
  const hintId = useId()
  const categories = offeredFilters({ filterData: filterData.data?.eventFilter, chosen: settings, saved })
  const stoppers = edgeIssueStoppers(settings)
  const isAny = hasFilters(settings)

  function handleChoice(category: NotificationCategory, values: string[]) {
    onChange({ [category]: inSavedOrder(values, saved[category]) })
  }

  return (
    <fieldset
      className={filterStyles.filters}
      disabled={hindrance !== null || props.isSaving}
      data-off={hindrance !== null || undefined}
      data-none={!isAny || undefined}
      aria-describedby={hintId}
    >
      <legend className={filterStyles.legend}>Filters of {props.title}</legend>
      <div className={filterStyles.head}>
        <h3 aria-hidden="true">Filters</h3>
        <p id={hintId} className={filterStyles.hint}>
          {isAny ? 'An event must match one value in each category.' : 'No filters selected.'} {hindrance}
        </p>
        {isAny && hindrance === null && (
          <button type="button" className={filterStyles.clear} onClick={() => onChange(withoutFilters(settings))}>
            Clear all
          </button>
        )}
      </div>
      <ul className={filterStyles.rows}>
        {categories.map((category) => (
          <FilterRow
            key={category.key}
            category={category}
            chosen={settings[category.key]}
            data={filterData}
            onChange={(values) => handleChoice(category.key, values)}
          />
        ))}
      </ul>
      {stoppers.length > 0 && (
        <p className={filterStyles.edge}>
          Edge issues have no {stoppers.map(midSentence).join(', ')}, so these filters exclude them.
        </p>
      )}
    </fieldset>
  )
}
