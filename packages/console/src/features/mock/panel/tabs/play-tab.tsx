import { HubRunCard } from './hub-run-card.tsx';
import { RepeatCard } from './repeat-card.tsx';
import { SequenceCard } from './sequence-card.tsx';
import './tabs.css';
import './play-tab.css';

const PlayTab = () => (
  <div className="dc-mock-tab">
    <RepeatCard />
    <SequenceCard />
    <HubRunCard />
  </div>
);

export default PlayTab;
