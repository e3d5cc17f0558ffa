import type { FeatureKey } from '@benchwatch/contract/vocabulary'
import { reasonOf } from '../../lib/reason.ts'
import { confirm } from '../../ui/confirm-store.ts'
import { showFailure, showSuccess } from '../../ui/toasts.ts'
import { type FlagValue, useSetFeatureFlag, useSetUserFeatureFlag } from './administration.api.ts'
import { featureWords } from './feature-words.ts'

/** For whom a flag is changed: the whole deployment, or one user. */
export type FlagHolder = { kind: 'deployment' } | { kind: 'user'; id: string; name: string }

/** Changes a flag; asks once before one is switched on that deletes or sends things. Tells what happened. */
export function useFlagChange(): {
  change: (key: FeatureKey, value: FlagValue, holder: FlagHolder) => Promise<void>
  pendingKey: FeatureKey | null
} {
  const ofDeployment = useSetFeatureFlag()
  const ofUser = useSetUserFeatureFlag()

  async function change(key: FeatureKey, value: FlagValue, holder: FlagHolder) {
    const { title, warning } = featureWords[key]
    const forWhom = holder.kind === 'deployment' ? 'everybody without a value of their own' : holder.name
    const isRisky = value === 'true' && warning !== undefined
    if (isRisky) {
      const message = `Switch “${title}” on for ${forWhom}? ${warning}`
      if (!(await confirm({ message, confirmLabel: 'Switch on', isDestructive: true }))) return
    }
    try {
      if (holder.kind === 'deployment') await ofDeployment.mutateAsync({ key, value })
      else await ofUser.mutateAsync({ id: holder.id, key, value })
      const to = value === null ? 'follows the deployment' : value === 'true' ? 'is on' : 'is off'
      showSuccess({ title: `“${title}” ${to}`, message: `For ${forWhom}, from now on.` })
    } catch (error) {
      showFailure({ title: `“${title}” is as before`, message: reasonOf(error) })
    }
  }

  return {
    change,
    pendingKey: ofDeployment.isPending ? ofDeployment.variables.key : ofUser.isPending ? ofUser.variables.key : null,
  }
}
