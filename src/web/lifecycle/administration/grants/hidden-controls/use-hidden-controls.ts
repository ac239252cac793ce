import { useMutation, useQuery } from '@tanstack/react-query'
import * as contract from '#shared/identity/hidden-controls/hidden-controls.ts'
import { type Control, controls } from '#shared/platform/controls.ts'
import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { call } from '../../../../platform/lib/api/call.ts'
import { queryClient } from '../../../../platform/lib/api/query-client.ts'
import { toast } from '../../../../platform/ui/toasts/toasts.ts'

const hiddenKey = ['hidden-controls']

/** Returns every control with who it is hidden from: in a company, or by the installation when the id is empty. */
export function useHiddenControls(companyId: string) {
  return useQuery({
    queryKey: [...hiddenKey, companyId],
    queryFn: async ({ signal }): Promise<contract.HiddenControl[]> => {
      if (companyId !== '')
        return (await call(contract.listHiddenControls, { params: { companyId }, signal })).items
      const hidden = await call(contract.listControlsHiddenEverywhere, { signal })
      return controls.map((control) => ({
        ...{ control, everyone: hidden.includes(control), groups: [], by_installation: false },
      }))
    },
  })
}

export type Hiding = { control: Control; everyone: boolean; group_ids: string[] }

/** Saves who a control is hidden from. */
export function useHideControl(companyId: string, onDone: () => void) {
  const { t } = useTranslation('admin')
  return useMutation({
    mutationFn: ({ control, everyone, group_ids }: Hiding): Promise<unknown> =>
      companyId === ''
        ? call(contract.hideControlEverywhere, { params: { control }, body: { everyone } })
        : call(contract.hideControl, { params: { companyId, control }, body: { everyone, group_ids } }),
    onSuccess: async () => {
      toast.success(t('administration.changed'))
      onDone()
      await queryClient.invalidateQueries({ queryKey: hiddenKey })
    },
  })
}
