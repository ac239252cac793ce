export { HardDrive as default } from 'lucide-react'
