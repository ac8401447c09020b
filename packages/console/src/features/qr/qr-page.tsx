const QrPage = () => null;

export default QrPage;
