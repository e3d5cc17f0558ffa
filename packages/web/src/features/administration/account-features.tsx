import type { Account } from '@benchwatch/contract/administration'
import { featureKeys } from '@benchwatch/contract/vocabulary'
import { useQuery } from '@tanstack/react-query'
import { Card } from '../../ui/card.tsx'
import styles from './account-features.module.css'
import { accountName } from './account-words.ts'
import { type FlagValue, featureFlagsQuery } from './administration.api.ts'
import { featureWords } from './feature-words.ts'
import { useFlagChange } from './use-flag-change.ts'

/** Flags of one user: on, off, or as the deployment has them. Each holds as soon as it is chosen. */
export function AccountFeatures({ account }: { account: Account }) {
  const { data: flags } = useQuery(featureFlagsQuery())
  const { change, pendingKey } = useFlagChange()
  const holder = { kind: 'user', id: account.id, name: accountName(account) } as const
  return (
    <Card title="Feature flags">
      <p className={styles.intro}>A value of their own goes before the deployment’s. A choice holds at once.</p>
      <ul className={styles.flags}>
        {featureKeys.map((key) => {
          const own = account.features.find((feature) => feature.key === key)?.value ?? null
          const deployment = flags?.find((flag) => flag.key === key)
          const { title, effect } = featureWords[key]
          return (
            <li key={key} title={effect}>
              <label htmlFor={`flag-${key}`}>{title}</label>
              <select
                id={`flag-${key}`}
                value={own ?? ''}
                data-own={own !== null || undefined}
                disabled={pendingKey === key}
                onChange={({ currentTarget }) => void change(key, (currentTarget.value || null) as FlagValue, holder)}
              >
                <option value="">
                  {deployment === undefined
                    ? 'As deployment'
                    : `As deployment (${deployment.value === 'true' ? 'on' : 'off'})`}
                </option>
                <option value="true">On</option>
                <option value="false">Off</option>
              </select>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
