import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { IconShare } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { ApiError } from '../../lib/http.ts'
import { eventName } from '../../lib/screen-name.ts'
import { Dropdown, PanelLoading } from '../../ui/overlay/dropdown.tsx'
import { showFailure, showSuccess } from '../../ui/overlay/toasts.ts'
import { useUnsent } from '../../ui/use-unsent.ts'
import { useShareEvent } from './event-emails.api.ts'
import { emptyShareForm, shareMessage } from './share-form.ts'

// The recipient list is large, and most visits share nothing.
const loadPanel = () => import('./share-panel.tsx')
const SharePanel = lazy(() => loadPanel().then((file) => ({ default: file.SharePanel })))

interface ShareProps {
  event: ServiceEvent
  /** Called when the event's history has a new entry. */
  onShared?: () => void
}

/** 'Email Event': sends the event to colleagues with a comment. */
export function ShareButton({ event, onShared }: ShareProps) {
  // Another event gets a new form.
  return <Share key={event.id} event={event} {...(onShared && { onShared })} />
}

function Share({ event, onShared }: ShareProps) {
  const [form, setForm] = useUnsent(`share ${event.id}`, emptyShareForm)
  const { mutateAsync: share, isPending } = useShareEvent()

  async function handleShare(close: () => void) {
    try {
      await share({ event, receiverIds: form.receiverIds, message: shareMessage(form) })
    } catch (error) {
      showFailure({
        title: 'The event has not been shared. Please try again.',
        message: error instanceof ApiError ? error.message : eventName(event),
      })
      return
    }
    close()
    setForm(emptyShareForm)
    showSuccess({ title: 'The event has been shared successfully.', message: eventName(event) })
    onShared?.()
  }

  return (
    <Dropdown
      title="Email Event"
      icon={<IconShare size={15} stroke={1.7} aria-hidden="true" />}
      shortcut="s"
      align="end"
      width={400}
      preload={loadPanel}
      panel={(close) => (
        <Suspense fallback={<PanelLoading height={300} />}>
          <SharePanel
            form={form}
            onChange={setForm}
            isPending={isPending}
            onShare={() => void handleShare(close)}
            onCancel={close}
          />
        </Suspense>
      )}
    >
      Share
    </Dropdown>
  )
}
