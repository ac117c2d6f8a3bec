import { Link, useLocation } from 'react-router-dom';
import { Alert } from '../../ui/alert.tsx';
import { LiveRegion } from '../../ui/live-region.tsx';
import { commonText } from '../../ui/texts.ts';
import { useSession } from './session-context.ts';
import { accountTurnedOff } from './sign-in-errors.ts';

export function SessionNotice() {
  const { ended } = useSession();
  const location = useLocation();
  return (
    <>
      {ended === 'turned off' && (
        <div className="column pt-4">
          <Alert>{accountTurnedOff}</Alert>
        </div>
      )}
      <LiveRegion>
        {ended === 'expired' && (
          <div className="column pt-4">
            <Alert
              kind="warn"
              action={
                <Link to="/login" state={{ from: location }} className="link">
                  {commonText.logIn}
                </Link>
              }
            >
              {commonText.sessionEnded}
            </Alert>
          </div>
        )}
      </LiveRegion>
    </>
  );
}
