import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { fetchHub } from './send.ts';
import { currentSession } from './session.ts';

const fetchPicture = async (path: string, signal: AbortSignal): Promise<Blob | null> => {
  const response = await fetchHub(path, { headers: { Authorization: currentSession()?.token ?? '' } }, signal);
  return response.ok ? response.blob() : null;
};

/** A picture that needs the token, as an object URL for <img>: the token must never be part of a URL. */
export const useProtectedPicture = (path: string | undefined): string | undefined => {
  const [objectUrl, setObjectUrl] = useState<string>();
  const { data: blob } = useQuery({
    queryKey: ['picture', path],
    queryFn: ({ signal }) => fetchPicture(path ?? '', signal),
    enabled: path !== undefined && path !== '',
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEffect(() => {
    if (!blob) return setObjectUrl(undefined);
    const url = URL.createObjectURL(blob);
    setObjectUrl(url);
    return () => URL.revokeObjectURL(url);
  }, [blob]);
  return objectUrl;
};
