export { MenuIcon } from '../ui/menu-icon.tsx';
