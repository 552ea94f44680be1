import { Component, type ReactNode } from 'react'
import { useTexts } from '../copy/words.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorState } from '../ui/Notice.tsx'

/**
 * Replaces its children with an error message and a way to continue, so that an error never leaves a blank page.
 */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null }

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (!error) return this.props.children
    return <Failed error={error} />
  }
}

function Failed({ error }: { error: Error }) {
  const texts = useTexts()
  return (
    <>
      <ErrorState title={texts.app.failed} error={error} />
      <p>
        <Button look="main" onClick={() => location.reload()}>
          {texts.app.reload}
        </Button>
      </p>
    </>
  )
}
