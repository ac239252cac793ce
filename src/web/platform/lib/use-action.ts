import { useRef, useState } from 'react'

type State<Result> = { isPending: boolean; data: Result | undefined; error: unknown }

/**
 * One call made by a person: whether it is under way, what it gave, what went wrong. The small sister of a mutation,
 * for pages that are shown before the query cache is there.
 */
export function useAction<Result>(act: () => Promise<Result>, onDone?: (result: Result) => void) {
  const [state, setState] = useState<State<Result>>({ isPending: false, data: undefined, error: null })
  const isBusy = useRef(false)

  async function run(): Promise<void> {
    if (isBusy.current) return
    isBusy.current = true
    setState({ isPending: true, data: undefined, error: null })
    try {
      const data = await act()
      setState({ isPending: false, data, error: null })
      onDone?.(data)
    } catch (error) {
      setState({ isPending: false, data: undefined, error })
    } finally {
      isBusy.current = false
    }
  }

  return { ...state, run }
}
