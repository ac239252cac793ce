export { Cloudy as default } from 'lucide-react'
